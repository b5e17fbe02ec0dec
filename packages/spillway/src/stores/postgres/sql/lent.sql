-- Rates of which units are lent to processes: a kind of its own for each kind that lends, "lent" before its name.
-- What is lent is among `used` until its holder says otherwise, or its time is over. An entry for each share:
-- until when, units, id, in that order of ending. There are few, so the row always has all of them.
--
-- Where a lent kind has no function here, that of the kind without shares is used.

-- Whether units of a limit are lent.
create function v.lends_units(plan v.plan) returns boolean language sql immutable as $$
  select plan.kind in (:LENT_TOKEN_BUCKET, :LENT_FIXED_WINDOW, :LENT_SLIDING_WINDOW) $$;

-- The kind, without regard to whether units are lent.
create function v.base_kind(plan v.plan) returns int language sql immutable as $$
  select case plan.kind when :LENT_TOKEN_BUCKET then :TOKEN_BUCKET when :LENT_FIXED_WINDOW then :FIXED_WINDOW
    when :LENT_SLIDING_WINDOW then :SLIDING_WINDOW else plan.kind end $$;

create function v.lent_width() returns int language sql immutable as $$ select 3 $$;

-- Units that are listed as lent.
create function v.units_lent(state v.state) returns float8 language sql immutable as $$
  select coalesce(sum(units), 0) from v.as_leases(state.entries) $$;

-- Missing ticks are worked out from the end of one share to that of the next, between which what is lent does
-- not come back.
create function v.lent_token_bucket_advance(state v.state, plan v.plan, now float8) returns v.state
language plpgsql immutable as $$
declare
  entries constant float8[] := state.entries;
  last constant float8 := greatest(state.since, now);
  used float8 := state.used;
  since float8 := state.since;
  lent float8 := v.units_lent(state) * plan.ticks_per_unit;
  place int := 1;
begin
  while entries[place] <= last loop
    used := greatest(lent, used - greatest(0, entries[place] - since) * plan.refill_per_ms);
    since := greatest(since, entries[place]);
    lent := lent - entries[place + 1] * plan.ticks_per_unit;
    place := place + 3;
  end loop;
  state.used := greatest(lent, used - (last - since) * plan.refill_per_ms);
  state.since := last;
  -- What is lent can't be settled: it has not been used yet, as far as is known.
  state.unsettled := least(state.unsettled, state.used - lent);
  if place > 1 then state.entries := entries[place:]; end if;
  return state;
end $$;

-- Exact if nobody gives back.
create function v.lent_token_bucket_fresh_at(state v.state, plan v.plan, now float8) returns float8
language plpgsql immutable as $$
declare
  used float8 := state.used;
  since float8 := state.since;
  lent float8 := v.units_lent(state) * plan.ticks_per_unit;
  share record;
begin
  if used = 0 then return now; end if;
  for share in select instant, units from v.as_leases(state.entries) loop
    used := greatest(lent, used - (share.instant - since) * plan.refill_per_ms);
    since := share.instant;
    lent := lent - share.units * plan.ticks_per_unit;
  end loop;
  return v.refilled_at(used, since, plan.refill_per_ms);
end $$;

create function v.lent_token_bucket_lent_until(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select greatest(state.since, now) + plan.share $$;

-- Units that are lent in a window end with it, so that none has to stay missing in the next.
create function v.lent_lent_until(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select least(greatest(state.since, now) + plan.share, state.since + plan.period) $$;

-- The state of a window without the shares that are over.
create function v.without_ended(state v.state, now float8) returns v.state language plpgsql immutable as $$
declare
  last constant float8 := greatest(state.since, now);
  place int := 1;
begin
  while state.entries[place] <= last loop place := place + 3; end loop;
  if place > 1 then state.entries := state.entries[place:]; end if;
  return state;
end $$;

create function v.lent_fixed_window_advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$ select v.without_ended(v.fixed_window_advance(state, plan, now), now) $$;

create function v.lent_sliding_window_advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$ select v.without_ended(v.sliding_window_advance(state, plan, now), now) $$;
