-- One limit under several definitions at once, as in a rolling deploy. Each definition has its own state.
-- Units that are taken under one count under all of them, as far as they can hold them.

-- The state under another definition. A block and the record of penalties are kept once, with the definition that was
-- used last.
create function v.state_of(other spillway.other) returns v.state language sql immutable as $$
  select row(other.used, other.since, other.previous, other.unsettled, 0, other.entries, null, null, null)::v.state $$;

create function v.as_other(state v.state, definition text, until float8) returns spillway.other
language sql immutable as $$
  select row(definition, state.used, state.since, state.previous, state.unsettled, state.entries, until)
    ::spillway.other $$;

-- Milliseconds after which nothing of a full state is left, at the latest.
create function v.memory(plan v.plan) returns float8 language sql immutable as $$
  select plan.period * greatest(2,
    coalesce(ceil(plan.capacity_ticks / plan.ticks_per_unit / nullif(plan.rate, 0)), 2)) $$;

-- The instant from which on nothing is left of a state that is not advanced.
create function v.runs_out_at(state v.state, plan v.plan, now float8) returns float8
language plpgsql stable as $$
begin
  state := v.advance(state, plan, now);
  return v.fresh_at(state, plan, now);
end $$;

-- A state as one that is kept beside that of another plan: until nothing of it is left, and for as long as
-- either plan can remember.
create function v.beside(state v.state, plan v.plan, other v.plan, now float8)
returns spillway.other language sql stable as $$
  select v.as_other(state, plan.definition, least(v.exact(),
    greatest(v.runs_out_at(state, plan, now), now + greatest(v.memory(plan), v.memory(other))))) $$;

-- Those that have not run out. They go back with the clock.
create function v.current_others(others spillway.other[], now float8) returns spillway.other[]
language plpgsql stable as $$
declare
  kept spillway.other[];
  other spillway.other;
  plan v.plan;
  state v.state;
begin
  foreach other in array coalesce(others, '{}') loop
    plan := v.plan_from(other.definition);
    state := v.state_of(other);
    state := v.rewind(state, plan, now);
    other := v.as_other(state, other.definition, other.until - (other.since - state.since));
    if other.until > now then kept := array_append(kept, other); end if;
  end loop;
  return kept;
end $$;

-- Whether no more find a place, beside the record and the mark of an override.
create function v.is_full(others spillway.other[]) returns boolean language sql immutable as $$
  select count(*) >= 7 from unnest(others) as other
  where other.definition <> v.overflow() and not starts_with(other.definition, v.override_mark()) $$;

-- Adds a state that finds no place to the record. Units and debt are rounded up to whole units.
create function v.with_overflow(others spillway.other[], state v.state, plan v.plan, now float8)
returns spillway.other[] language plpgsql stable as $$
declare
  advanced constant v.state := v.advance(state, plan, now);
  spent constant float8 := v.spent(advanced, plan, now);
  record spillway.other := row(v.overflow(), 0, now, 0, 0, null, 0);
  kept spillway.other[];
  other spillway.other;
begin
  foreach other in array others loop
    if other.definition = v.overflow() then record := other; else kept := array_append(kept, other); end if;
  end loop;
  record.used := greatest(record.used, ceil(spent / plan.ticks_per_unit));
  record.previous := greatest(record.previous, ceil((spent - plan.capacity_ticks) / plan.ticks_per_unit));
  record.until := greatest(record.until, least(v.exact(), v.fresh_at(advanced, plan, now)));
  return array_append(kept, record);
end $$;

-- The states beside that of a definition which takes over: that of the one before, where there is a place.
create function v.keeping(
  others spillway.other[], state v.state, old v.plan, plan v.plan, now float8
) returns spillway.other[] language plpgsql stable as $$
begin
  -- One of which nothing is left equals none: another store may have forgotten it.
  if v.runs_out_at(state, old, now) <= now then return others; end if;
  if v.is_full(others) then return v.with_overflow(others, state, old, now); end if;
  return others || v.current_others(array[v.beside(state, old, plan, now)], now);
end $$;

-- Raises what is used to what the record holds, as far as the definition goes.
create function v.count_overflow(state v.state, plan v.plan, now float8) returns v.state
language plpgsql stable as $$
declare
  advanced constant v.state := v.advance(state, plan, now);
  spent constant float8 := v.spent(advanced, plan, now);
  record spillway.other;
  ticks float8;
begin
  select * into record from unnest(state.others) as other where other.definition = v.overflow();
  if not found then return state; end if;
  ticks := least(record.used * plan.ticks_per_unit,
    plan.capacity_ticks + least(record.previous * plan.ticks_per_unit, plan.debt_ticks));
  if ticks <= spent then return state; end if;
  -- Beside the leases in flight, which go on: units held by a lease of nobody's.
  if v.holds_leases(plan) then return v.charge(advanced, plan, ticks - spent, now, now); end if;
  return v.begin(state, plan, ticks, advanced.unsettled * v.resolution(plan), greatest(now, state.since));
end $$;

-- Switches from the definition of a row to another one. A definition that is new to the budget takes over
-- its usage. One that is in use goes on from its own state. The state from before is kept beside it.
create function v.switch_to(state v.state, definition text, plan v.plan, now float8) returns v.state
language plpgsql stable as $$
declare
  old constant v.plan := v.plan_from(definition);
  kept spillway.other[] := v.current_others(state.others, now);
  known int;
  after v.state;
begin
  state := v.gathered(state, old);
  for n in 1..coalesce(cardinality(kept), 0) loop
    if (kept[n]).definition = plan.definition then known := n; end if;
  end loop;
  if known is null then
    after := v.migrate(state, old, plan, now);
    after.others := v.keeping(kept, state, old, plan, now);
    return v.count_overflow(after, plan, now);
  end if;
  -- A block goes back with the clock as the state does under which it was used last.
  state := v.rewind(state, old, now);
  after := v.state_of(kept[known]);
  after.blocked_until := state.blocked_until;
  after.penalty := state.penalty;
  after.others := array_append(kept[:known - 1] || kept[known + 1:], v.beside(state, old, plan, now));
  return after;
end $$;

-- Counts units that were taken under one plan, under which so much is spent now, under all others.
create function v.share(
  others spillway.other[], plan v.plan, spent float8, units float8, lease float8, now float8
) returns spillway.other[] language plpgsql stable as $$
declare
  kept spillway.other[];
  other spillway.other;
  its_plan v.plan;
  state v.state;
  fitting float8;
begin
  foreach other in array coalesce(v.current_others(others, now), '{}') loop
    its_plan := v.plan_from(other.definition);
    state := v.state_of(other);
    state := v.advance(state, its_plan, now);
    -- A lease expires after its time, whatever else is in flight.
    fitting := case when v.holds_leases(its_plan) and lease <> 0 then units else least(units, floor(
      (v.most_kept(spent, plan, its_plan) - v.spent(state, its_plan, now)) / its_plan.ticks_per_unit)) end;
    if fitting > 0 then
      -- What no lease has taken is held by one that belongs to nobody, another one each millisecond.
      state := v.charge(state, its_plan, fitting, case when lease = 0 then now else lease end, now);
      other := v.as_other(state, other.definition, other.until);
    end if;
    kept := array_append(kept, other);
  end loop;
  return kept;
end $$;

-- Releases a lease under all other definitions, or renews it there, each for its own time.
create function v.share_lease(
  others spillway.other[], renews boolean, lease float8, units float8, now float8
) returns spillway.other[] language plpgsql stable as $$
declare
  kept spillway.other[];
  other spillway.other;
  plan v.plan;
  state v.state;
  released v.state;
begin
  foreach other in array others loop
    plan := v.plan_from(other.definition);
    if v.holds_leases(plan) then
      state := v.state_of(other);
      state := v.advance(state, plan, now);
      released := v.release(state, lease, units);
      -- What has expired by now has, though the lease is not held here, and wherever the clock goes back to.
      if released.used is not null then state := released; end if;
      -- A lease that has expired here, where its time is shorter, is in flight again.
      if renews then state := v.charge(state, plan, units, lease, now); end if;
      other := v.as_other(state, other.definition, other.until);
    end if;
    kept := array_append(kept, other);
  end loop;
  return kept;
end $$;
