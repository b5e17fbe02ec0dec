-- One limit under several definitions at once, as while a new one is deployed. Each has a state of its own;
-- what is taken under one counts under all of them, as far as they can hold it.

-- A state that is as it is at `now`, once units are taken, for a concurrency limit by a lease.
create function spillway.charged(
  state spillway.state, plan spillway.plan, units double precision, lease double precision,
  now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  taken constant double precision := units * case when plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then plan.scale else 1 end;
begin
  state.used := state.used + taken;
  if plan.kind in (:SLIDING_LOG, :CONCURRENCY) then state.since := greatest(state.since, now); end if;
  if plan.kind = :CONCURRENCY then
    state.log := spillway.leases_add(state.log, state.since + plan.period, units, lease);
    return state;
  end if;
  state.unsettled := state.unsettled + taken;
  if plan.kind = :SLIDING_LOG then state.log := spillway.log_add(state.log, state.since, units); end if;
  return state;
end
$$;

-- From when on nothing is left of a state that is as it is at `now`; infinite where nothing comes back.
create function spillway.state_fresh_at(
  state spillway.state, plan spillway.plan, now double precision
) returns double precision language sql immutable as $$
  select case
    when plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then spillway.bucket_fresh_at(state.used, state.since, plan.gain, now)
    when plan.kind = :FIXED_WINDOW then
      spillway.fixed_fresh_at(state.used, state.since, plan.rate, plan.period, now)
    when plan.kind = :SLIDING_WINDOW then
      spillway.sliding_fresh_at(state.used, state.since, state.previous, plan.period, now)
    when state.used = 0 then now
    when plan.kind = :SLIDING_LOG then state.log[cardinality(state.log) - 1] + plan.period
    else state.since + plan.period end
$$;

-- Milliseconds after which nothing is left of a full state, at the latest.
create function spillway.memory(plan spillway.plan) returns double precision
language sql immutable as $$
  select plan.period
    * greatest(2, coalesce(ceil(plan."full" / plan.scale / nullif(plan.rate, 0)), 2))
$$;

-- A state as one that is kept beside that of another plan.
create function spillway.beside(
  state spillway.state, plan spillway.plan, other spillway.plan, now double precision
) returns spillway.other language plpgsql immutable as $$
begin
  -- A block is kept once.
  state.blocked_until := 0;
  return row(plan.definition, state, least(4503599627370496, greatest(
    spillway.state_fresh_at(spillway.present(state, plan, now), plan, now),
    now + greatest(spillway.memory(plan), spillway.memory(other)))))::spillway.other;
end
$$;

-- Those of which something may be left, brought back where the clock went back; null for none.
create function spillway.current_others(others spillway.other[], now double precision)
returns spillway.other[] language plpgsql immutable as $$
declare
  kept spillway.other[];
  one spillway.other;
  plan spillway.plan;
  since double precision;
begin
  foreach one in array coalesce(others, '{}') loop
    plan := spillway.plan_from(one.definition);
    since := (one.state).since;
    if since - now >= plan.period then
      one.state := spillway.gone_back(one.state, plan, now);
      one.until := one.until - (since - (one.state).since);
    end if;
    if one.until > now then kept := array_append(kept, one); end if;
  end loop;
  return kept;
end
$$;

-- As many as are kept beside the one asked under: without the one of which the least is left.
create function spillway.fitting_others(others spillway.other[])
returns spillway.other[] language plpgsql immutable as $$
declare
  most constant int := 3;
  goes int := 1;
begin
  if coalesce(cardinality(others), 0) <= most then return others; end if;
  for n in 2..cardinality(others) loop
    if (others[n]).until < (others[goes]).until then goes := n; end if;
  end loop;
  return others[:goes - 1] || others[goes + 1:];
end
$$;

-- A state that was written under one definition, for another one. One that is new to the budget takes over
-- what was used; one that is in use goes on from its own. What it was before is kept beside it.
create function spillway.turned(
  state spillway.state, before text, plan spillway.plan, others spillway.other[],
  now double precision
) returns spillway.tracked language plpgsql immutable as $$
declare
  old constant spillway.plan := spillway.plan_from(before);
  kept spillway.other[] := spillway.current_others(others, now);
  known int;
  turned spillway.state;
begin
  for n in 1..coalesce(cardinality(kept), 0) loop
    if (kept[n]).definition = plan.definition then known := n; end if;
  end loop;
  if known is null then
    -- One of which nothing is left says no more than none: another store may have forgotten it.
    if spillway.state_fresh_at(spillway.present(state, old, now), old, now) > now then
      kept := kept || spillway.current_others(array[spillway.beside(state, old, plan, now)], now);
    end if;
    return row(spillway.adopted(state, old, plan, now), spillway.fitting_others(kept));
  end if;
  -- A block goes back with the clock as the state does under which it was asked for last.
  if state.since - now >= old.period then state := spillway.gone_back(state, old, now); end if;
  turned := (kept[known]).state;
  turned.blocked_until := state.blocked_until;
  return row(turned,
    array_append(kept[:known - 1] || kept[known + 1:], spillway.beside(state, old, plan, now)));
end
$$;

-- After units were taken under one definition, which has then spent so much.
create function spillway.shared(
  others spillway.other[], plan spillway.plan, spent double precision, count double precision,
  lease double precision, now double precision
) returns spillway.other[] language plpgsql immutable as $$
declare
  kept spillway.other[];
  one spillway.other;
  other spillway.plan;
  state spillway.state;
  units double precision;
begin
  foreach one in array coalesce(spillway.current_others(others, now), '{}') loop
    other := spillway.plan_from(one.definition);
    state := spillway.present(one.state, other, now);
    units := count;
    -- A lease is over after its time, whatever else is in flight.
    if other.kind <> 6 or lease = 0 then
      units := least(count, floor(
        (spillway.most_kept(spent, plan, other) - spillway.spent(state, other, now)) / other.scale));
    end if;
    -- What no lease has taken is held by one of nobody's, another one each millisecond.
    if units > 0 then
      one.state := spillway.charged(
        state, other, units, case when lease = 0 then now else lease end, now);
    end if;
    kept := array_append(kept, one);
  end loop;
  return kept;
end
$$;

-- After a lease was released, or renewed, under one definition.
create function spillway.others_lent(
  others spillway.other[], renews boolean, lease double precision, units double precision,
  now double precision
) returns spillway.other[] language plpgsql immutable as $$
declare
  kept spillway.other[];
  one spillway.other;
  plan spillway.plan;
  state spillway.state;
begin
  foreach one in array others loop
    plan := spillway.plan_from(one.definition);
    if plan.kind = :CONCURRENCY then
      state := spillway.present(one.state, plan, now);
      if not renews then
        one.state := spillway.released(state, lease, units);
      elsif spillway.leases_without(state.log, lease, units) is null then
        -- Its time is shorter under this one: it was over, and is in flight again.
        one.state := spillway.charged(state, plan, units, lease, now);
      else
        one.state := spillway.renewed(state, lease, units, plan.period, now);
      end if;
    end if;
    kept := array_append(kept, one);
  end loop;
  return kept;
end
$$;

-- After a step that takes nothing, which finds a state, and leaves it, as it is at `now`.
create function spillway.others_after_step(
  others spillway.other[], found spillway.state, left_behind spillway.state, plan spillway.plan,
  step double precision, one double precision, other double precision, now double precision
) returns spillway.other[] language plpgsql immutable as $$
begin
  if step = -3 then return null; end if;
  -- What turned out to be used beyond an estimate counts everywhere.
  if step = -2 and plan.kind <> 6 and other > one then
    return spillway.shared(
      others, plan, spillway.spent(left_behind, plan, now), other - one, 0, now);
  end if;
  if plan.kind = :CONCURRENCY and (step = -6
    or step = -7 and spillway.leases_without(found.log, one, other) is not null)
  then return spillway.others_lent(others, step = -7, one, other, now); end if;
  return others;
end
$$;
