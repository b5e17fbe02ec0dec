-- What keeps a state meaningful when the clock goes back, or when its limit has changed.

-- With all instants moved back.
create function v.move_back(state v.state, plan v.plan, ms float8) returns v.state
language plpgsql stable as $$
begin
  state := v.gathered(state, plan);
  state.since := state.since - ms;
  state.blocked_until := greatest(0, state.blocked_until - ms);
  if state.penalty is not null then state.penalty := v.earlier_record(state.penalty, ms); end if;
  if state.entries is not null then
    state.entries := v.earlier_entries(state.entries, v.width(plan), ms, 'Infinity');
  end if;
  return state;
end $$;

-- A state that is ahead of the clock by a period or more goes back with it, by whole windows, to the one
-- that begins next.
create function v.rewind(state v.state, plan v.plan, now float8) returns v.state
language sql stable as $$
  select case when state.since - now < plan.period then state else v.move_back(state, plan,
    floor((state.since - now) / plan.window_alignment) * plan.window_alignment) end $$;

-- A state that is ahead of the clock by less stays there until the clock has caught up, unless it is fresh.
create function v.rewind_or_wait(state v.state, plan v.plan, now float8) returns v.state
language plpgsql stable as $$
begin
  state := v.rewind(state, plan, now);
  if state.since > now and state.used = 0 and state.previous = 0 and state.blocked_until <= now then
    return v.begin(state, plan, 0, 0, now);
  end if;
  return state;
end $$;

-- Ticks of one plan as ticks of another, rounded up.
create function v.converted(ticks float8, old v.plan, plan v.plan) returns float8
language sql immutable as $$
  select case when old.ticks_per_unit = plan.ticks_per_unit then ticks else
    floor(ticks / old.ticks_per_unit) * plan.ticks_per_unit
      + least(plan.ticks_per_unit, ceil((ticks - floor(ticks / old.ticks_per_unit) * old.ticks_per_unit)
        / old.ticks_per_unit * plan.ticks_per_unit)) end $$;

-- The most ticks of a plan that count as used where so many are under another one: with its debt.
create function v.most_kept(spent float8, old v.plan, plan v.plan) returns float8
language sql immutable as $$
  select plan.capacity_ticks + least(plan.debt_ticks,
    v.converted(greatest(0, spent - old.capacity_ticks), old, plan)) $$;

-- Migrates a state from the plan it was written under. What was used stays used, as far as the new plan
-- can hold it.
create function v.migrate(state v.state, old v.plan, plan v.plan, now float8) returns v.state
language plpgsql stable as $$
declare
  advanced constant v.state := v.advance(state, old, now);
  spent constant float8 := v.spent(advanced, old, now);
  kept constant float8 := least(v.converted(spent, old, plan), v.most_kept(spent, old, plan));
  inherited v.state;
begin
  if v.base_kind(plan) = v.base_kind(old) then
    inherited := v.inherit(state, advanced, old, plan, now);
    if inherited.used is not null then
      -- Shares belong to the definition under which they were lent; here they are used.
      if v.lends_units(old) then inherited.entries := null; end if;
      return inherited;
    end if;
  end if;
  return v.begin(state, plan, kept,
    least(kept, v.converted(advanced.unsettled * v.resolution(old), old, plan)),
    greatest(now, state.since));
end $$;

-- Makes the state of a row fit to be asked at `now` under a plan.
create function v.reconcile(state v.state, definition text, plan v.plan, now float8) returns v.state
language plpgsql stable as $$
begin
  if definition = '' then return v.begin(state, plan, 0, 0, now); end if;
  if definition <> plan.definition then
    if not v.is_override(state.others, plan.definition, now) then state.others := v.without_mark(state.others); end if;
    state := v.switch_to(state, definition, plan, now);
  end if;
  if state.since > now then state := v.rewind_or_wait(state, plan, now); end if;
  return state;
end $$;
