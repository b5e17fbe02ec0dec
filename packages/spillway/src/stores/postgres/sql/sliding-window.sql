-- Sliding window: this window's units, and those of the one before, weighted by what of it is left.

-- Units used in the window of `now`.
create function spillway.sliding_used(
  used double precision, since double precision, period double precision, now double precision
) returns double precision language sql immutable as $$
  select case when now - since < period then used else 0 end
$$;

-- Units used in the window before that.
create function spillway.sliding_previous(
  used double precision, since double precision, previous double precision,
  period double precision, now double precision
) returns double precision language sql immutable as $$
  select case when now - since < period then previous when now - since < 2 * period then used else 0 end
$$;

-- Parts of the estimate, of a state that is as it is at `now`.
create function spillway.sliding_spent(
  used double precision, since double precision, previous double precision,
  period double precision, now double precision
) returns double precision language sql immutable as $$
  select used * period + previous * (period - greatest(0, now - since))
$$;

-- From when on nothing of two windows is remembered, of a state that is as it is at `now`.
create function spillway.sliding_fresh_at(
  used double precision, since double precision, previous double precision,
  period double precision, now double precision
) returns double precision language sql immutable as $$
  select case when used > 0 then since + 2 * period when previous > 0 then since + period else now end
$$;
