-- Fixed window: `rate` units come back whenever a window ends; `since` is the beginning of one.

-- Units used at `now`.
create function spillway.fixed_used(
  used double precision, since double precision, rate double precision,
  period double precision, now double precision
) returns double precision language sql immutable as $$
  select greatest(0, used - spillway.windows_gone(since, period, now) * rate)
$$;

-- From when on all units of a state that is as it is at `now` have come back; infinite where none do.
create function spillway.fixed_fresh_at(
  used double precision, since double precision, rate double precision,
  period double precision, now double precision
) returns double precision language sql immutable as $$
  select case when used = 0 then now
    else since + period * coalesce(ceil(used / nullif(rate, 0)), 'Infinity') end
$$;
