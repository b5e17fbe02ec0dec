-- With an estimate replaced by the true number, of a state that is as it is at `now`. Upward there is no
-- bound; downward no more comes back than was taken, is still missing and was not settled before.
create function spillway.settled(
  state spillway.state, plan spillway.plan, reserved double precision, really double precision,
  now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  exact constant double precision := 4503599627370496;
  unit constant double precision := case when plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then plan.scale else 1 end;
  -- Starts that a leaky bucket has promised can't be moved.
  true_use constant double precision :=
    case when plan.kind = :LEAKY_BUCKET then greatest(reserved, really) else really end;
  change constant double precision := (true_use - reserved) * unit;
  used constant double precision := case when change < 0
    then state.used - least(-change, state.unsettled) else least(exact, state.used + change) end;
begin
  -- Leases are given back.
  if plan.kind = :CONCURRENCY then return state; end if;
  if plan.kind = :SLIDING_LOG and used > state.used then
    state.since := greatest(state.since, now);
    state.log := spillway.log_add(state.log, state.since, used - state.used);
  elsif plan.kind = :SLIDING_LOG then
    state.log := spillway.log_take_back(state.log, state.used - used);
  end if;
  state.unsettled := least(greatest(0, state.unsettled - reserved * unit), used);
  -- No further than the estimate, or the wait until all has come back, is exact.
  state.used := case
    when plan.kind = :SLIDING_WINDOW then least(used, greatest(state.used, floor(exact / plan.period) - state.previous))
    when plan.kind = :FIXED_WINDOW and plan.rate > 0
      then least(used, greatest(state.used, floor(exact / plan.period) * plan.rate))
    else used end;
  return state;
end
$$;

-- A state that is as it is at `now`, once everything is refused for `ms` from then, or from when time goes
-- on for the state, if it stands still. It says so of this instant, that a clock that goes back may take the
-- block back with it, and not by less. Windows stay on their grid, and leases in flight end by when the
-- newest of them was taken.
create function spillway.blocked(
  state spillway.state, plan spillway.plan, ms double precision, now double precision
) returns spillway.state language plpgsql immutable as $$
begin
  if not (plan.kind in (:FIXED_WINDOW, :SLIDING_WINDOW) or plan.kind = :CONCURRENCY and state.used > 0) then
    state.since := greatest(state.since, now);
  end if;
  state.blocked_until := greatest(state.since, now) + ms;
  return state;
end
$$;

-- After a step that takes nothing.
create function spillway.after_step(
  state spillway.state, plan spillway.plan, step double precision,
  one double precision, other double precision, now double precision
) returns spillway.state language plpgsql immutable as $$
begin
  case step
    when :SETTLE then return spillway.settled(state, plan, one, other, now);
    when :RESET then
      if state.blocked_until <= now then state.blocked_until := 0; end if;
      return spillway.begun(state, plan, now);
    when :BLOCK then return spillway.blocked(state, plan, one, now);
    when :UNBLOCK then state.blocked_until := 0;
    when :RELEASE then return spillway.released(state, one, other);
    when :RENEW then return spillway.renewed(state, one, other, plan.period, now);
  end case;
  return state;
end
$$;
