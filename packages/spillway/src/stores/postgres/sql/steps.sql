-- Refuses everything for `ms`, from `now` or from where time goes on for the state. The usage is kept as it is
-- at that instant: a clock that goes back takes both with it. The start of a window must not move, and
-- leases expire by the instant at which the newest was taken.
create function v.block(state v.state, plan v.plan, ms float8, now float8) returns v.state
language plpgsql immutable as $$
declare
  instant constant float8 := greatest(state.since, now);
begin
  if plan.window_alignment = 1 and not (v.holds_leases(plan) and state.used > 0) then
    state.since := instant;
  end if;
  state.blocked_until := instant + ms;
  return state;
end $$;

-- The steps on one budget that take nothing: see store/port/protocol.ts.
create function v.apply(
  state v.state, plan v.plan, step float8, one float8, other float8, now float8
) returns v.state language plpgsql stable as $$
declare
  after v.state := state;
begin
  case step
    when :SETTLE then
      after := v.settle(state, plan, one, other, now);
      -- What turned out to be used beyond an estimate counts everywhere.
      if state.others is not null and other > one and not v.holds_leases(plan) then
        after.others := v.share(after.others, plan, v.spent(after, plan, now), other - one, 0, now);
      end if;
    when :RESET then
      if state.others is not null then after.others := v.lent_others(state.others, now); end if;
      if after.blocked_until <= now then after.blocked_until := 0; end if;
      if after.penalty is not null then after.penalty := v.without_refusals(after.penalty, now); end if;
      after := case when v.is_lent(after, plan) then v.only_lent(after, plan)
        else v.begin(after, plan, 0, 0, now) end;
    when :BLOCK then
      after := v.block(state, plan, one, now);
      after.penalty := v.without_penalty(after.penalty);
    when :UNBLOCK then
      after.blocked_until := 0;
      after.penalty := null;
    when :RELEASE then
      after := v.release(state, one, other);
      if after.used is null then after := state; end if;
      if state.others is not null then
        after.others := v.share_lease(state.others, false, one, other, now);
      end if;
    when :RENEW then
      after := v.renew(state, plan, one, other, now);
      if after.used is null then after := state;
      elsif state.others is not null then
        after.others := v.share_lease(state.others, true, one, other, now);
      end if;
  end case;
  -- A state that has become fresh need not wait for a clock that is behind.
  if after.since > now then after := v.rewind_or_wait(after, plan, now); end if;
  return after;
end $$;

-- How many numbers a step has that changes one state.
create function v.step_width(steps float8[], at int) returns int language sql immutable as $$
  select 1 + :FIELDS(steps[at])
    + case when steps[at] = :DRAW then 2 * (steps[at + :DRAW_LEFT] + steps[at + :DRAW_BACK])::int else 0 end $$;

-- The leases that steps name of a budget.
create function v.named_leases(steps float8[], budget int) returns float8[]
language plpgsql immutable as $$
declare
  next int := 1;
  step float8;
  named float8[];
begin
  while next <= cardinality(steps) loop
    step := steps[next];
    if step > 0 then
      next := next + 1;
    elsif step < :TAKE then
      if steps[next + 1] = budget and step in (:RELEASE, :RENEW) then
        named := array_append(named, steps[next + 2]);
      end if;
      next := next + v.step_width(steps, next);
    else
      for ask in next + 2..next + 1 + :ASK * steps[next + 1]::int by :ASK loop
        if steps[ask + :ASK_BUDGET] = budget then
          named := array_append(named, steps[ask + :ASK_LEASE]);
        end if;
      end loop;
      next := next + 2 + :ASK * steps[next + 1]::int;
    end if;
  end loop;
  return named;
end $$;

-- Whether a take is admitted. A count of 0 asks for one unit.
create function v.admits(
  state v.state, plan v.plan, units float8, reserve float8, headroom float8, now float8
) returns boolean language sql immutable as $$
  select v.fits(state.blocked_until, v.spent(state, plan, now),
    greatest(1, units) * plan.ticks_per_unit + headroom,
    plan.capacity_ticks + reserve * plan.debt_ticks, now) $$;

-- Takes units that fit, for a concurrency limit as a lease.
create function v.take(state v.state, plan v.plan, units float8, lease float8, now float8)
returns v.state language plpgsql stable as $$
begin
  state := v.charge(state, plan, units, lease, now);
  if state.others is not null then
    state.others := v.share(state.others, plan, v.spent(state, plan, now), units, lease, now);
  end if;
  return state;
end $$;
