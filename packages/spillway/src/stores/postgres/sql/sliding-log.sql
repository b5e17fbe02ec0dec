-- Sliding log: an entry for each millisecond in which units were taken, kept for one period: instant,
-- units. `used` is the sum of all units, `since` the latest instant at which some were taken.

create function v.sliding_log_width() returns int language sql immutable as $$ select 2 $$;

create function v.sliding_log_advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$
  select v.without_expired(state, 2, greatest(state.since, now) - plan.period) $$;

create function v.sliding_log_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when state.used = 0 then now
    else state.entries[cardinality(state.entries) - 1] + plan.period end $$;

-- Adds units at `now`, or at the newest entry if that is later.
create function v.log_units(state v.state, units float8, now float8) returns v.state
language plpgsql immutable as $$
declare
  last constant int := cardinality(state.entries);
begin
  state.since := greatest(state.since, now);
  if state.entries[last - 1] = state.since then
    state.entries[last] := state.entries[last] + units;
  else
    state.entries := state.entries || array[state.since, units];
  end if;
  return state;
end $$;

-- Takes units off the newest entries.
create function v.unlog_units(state v.state, units float8) returns v.state
language plpgsql immutable as $$
declare
  last int := cardinality(state.entries);
begin
  while units > 0 and last > 0 loop
    if state.entries[last] > units then
      state.entries[last] := state.entries[last] - units;
      exit;
    end if;
    units := units - state.entries[last];
    last := last - 2;
  end loop;
  state.entries := state.entries[:last];
  return state;
end $$;

create function v.sliding_log_begin(
  state v.state, plan v.plan, spent float8, unsettled float8, now float8
) returns v.state language plpgsql immutable as $$
begin
  state := v.rate_begin(state, plan, spent, unsettled, now);
  state.entries := case when spent > 0 then array[now, spent] else '{}' end;
  return state;
end $$;

create function v.sliding_log_charge(
  state v.state, plan v.plan, units float8, lease float8, now float8
) returns v.state language sql immutable as $$
  select v.log_units(v.rate_charge(state, plan, units, lease, now), units, now) $$;

create function v.sliding_log_settle(
  state v.state, plan v.plan, reserved float8, really float8, now float8
) returns v.state language plpgsql immutable as $$
declare
  used constant float8 := state.used;
begin
  state := v.rate_settle(state, plan, reserved, really, now);
  if state.used > used then return v.log_units(state, state.used - used, now); end if;
  return v.unlog_units(state, used - state.used);
end $$;

create function v.sliding_log_inherit(
  state v.state, advanced v.state, old v.plan, plan v.plan, now float8
) returns v.state language sql immutable as $$
  select case when plan.period = old.period and advanced.used <= plan.capacity_ticks then state end $$;

-- From the oldest so many entries that the units beyond the capacity are in them, and the newest.
create function v.sliding_log_shown(state v.state, plan v.plan, units float8) returns float8[]
language plpgsql immutable as $$
declare
  rest float8 := state.used + units - plan.capacity_ticks;
  last constant int := cardinality(state.entries);
  shown int := 0;
begin
  while rest > 0 and shown < last loop
    shown := shown + 2;
    rest := rest - state.entries[shown];
  end loop;
  if shown >= last - 2 then return state.entries; end if;
  return state.entries[:shown] || state.entries[last - 1:];
end $$;
