-- With an estimate replaced by the true number, of a state that is as it is at `now`. Upward there is no
-- bound; downward no more comes back than was taken, is still missing and was not settled before.
create function spillway.settled(
  state spillway.state, plan spillway.plan, reserved double precision, really double precision,
  now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  exact constant double precision := 4503599627370496;
  unit constant double precision := case when plan.kind <= 2 then plan.scale else 1 end;
  -- Starts that a leaky bucket has promised can't be moved.
  true_use constant double precision :=
    case when plan.kind = 2 then greatest(reserved, really) else really end;
  change constant double precision := (true_use - reserved) * unit;
  used constant double precision := case when change < 0
    then state.used - least(-change, state.unsettled) else least(exact, state.used + change) end;
begin
  if plan.kind = 5 and used > state.used then
    state.since := greatest(state.since, now);
    state.log := spillway.log_add(state.log, state.since, used - state.used);
  elsif plan.kind = 5 then
    state.log := spillway.log_take_back(state.log, state.used - used);
  end if;
  state.unsettled := least(greatest(0, state.unsettled - reserved * unit), used);
  state.used := case when plan.kind = 4
    then least(used, greatest(state.used, floor(exact / plan.period) - state.previous)) else used end;
  return state;
end
$$;

-- After a step that takes nothing: -2 settles, -3 resets, -4 blocks, -5 unblocks.
create function spillway.after_step(
  state spillway.state, plan spillway.plan, step double precision,
  one double precision, other double precision, now double precision
) returns spillway.state language plpgsql immutable as $$
begin
  case step
    when -2 then return spillway.settled(state, plan, one, other, now);
    when -3 then return spillway.begun(state, plan, now);
    when -4 then state.blocked_until := now + one;
    when -5 then state.blocked_until := 0;
  end case;
  return state;
end
$$;
