-- Sliding window: the units of this window, and those of the one before, weighted by how much of it the
-- last period covers. `used` and `previous` are in units, the estimate is in ticks.

create function v.sliding_window_advance(state v.state, plan v.plan, now float8) returns v.state
language plpgsql immutable as $$
declare
  gone constant float8 := v.windows_gone(state, plan, now);
begin
  if gone > 0 then
    state.previous := case when gone = 1 then state.used else 0 end;
    state.used := 0;
    state.unsettled := 0;
    state.since := state.since + gone * plan.period;
  end if;
  return state;
end $$;

create function v.sliding_window_spent(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select state.used * plan.period + state.previous * (plan.period - greatest(0, now - state.since)) $$;

create function v.sliding_window_resolution(plan v.plan) returns float8
language sql immutable as $$ select plan.ticks_per_unit $$;

create function v.sliding_window_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when state.used > 0 then state.since + 2 * plan.period
    when state.previous > 0 then state.since + plan.period else now end $$;

-- The estimate is exact.
create function v.sliding_window_most_used(state v.state, plan v.plan) returns float8
language sql immutable as $$ select floor(v.exact() / plan.period) - state.previous $$;

create function v.sliding_window_inherit(
  state v.state, advanced v.state, old v.plan, plan v.plan, now float8
) returns v.state language sql immutable as $$
  select case when plan.period = old.period and plan.start is not distinct from old.start
    and v.sliding_window_spent(advanced, old, now) <= plan.capacity_ticks then state end $$;
