-- Fixed window: `rate` units come back whenever a window ends. `since` is the start of a window.

create function v.fixed_window_advance(state v.state, plan v.plan, now float8) returns v.state
language plpgsql immutable as $$
declare
  gone constant float8 := v.windows_gone(state, plan, now);
begin
  state.used := greatest(0, state.used - gone * plan.rate);
  state.since := state.since + gone * plan.period;
  state.unsettled := least(state.unsettled, state.used);
  return state;
end $$;

create function v.fixed_window_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when state.used = 0 then now
    else state.since + plan.period * coalesce(ceil(state.used / nullif(plan.rate, 0)), 'Infinity') end $$;

-- The wait for all of it is exact.
create function v.fixed_window_most_used(state v.state, plan v.plan) returns float8
language sql immutable as $$
  select case when plan.rate = 0 then v.exact() else floor(v.exact() / plan.period) * plan.rate end $$;
