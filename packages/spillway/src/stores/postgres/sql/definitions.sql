-- From one definition of a limit, and one instant, to another.

-- The plan that a definition stands for, but for its anchor.
create function spillway.plan_from(definition text) returns spillway.plan
language plpgsql immutable as $$
declare
  exact constant double precision := 4503599627370496;
  words text[] := string_to_array(definition, ':');
  plan spillway.plan;
  most double precision;
begin
  plan.definition := definition;
  plan.kind := words[1];
  plan.rate := words[2];
  plan.period := words[3];
  plan.scale := case when plan.kind = :SLIDING_WINDOW then plan.period else 1 end;
  plan.gain := 0;
  if plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then
    plan.scale := plan.period / gcd(plan.rate::bigint, plan.period::bigint);
    plan.gain := plan.rate / gcd(plan.rate::bigint, plan.period::bigint);
  end if;
  plan.full := words[4]::double precision * plan.scale;
  most := exact - plan.full;
  plan.spare := case when plan.rate = 0 or plan.kind not in (:TOKEN_BUCKET, :LEAKY_BUCKET, :FIXED_WINDOW) then 0
    else least(nullif(words[5], '-')::double precision * plan.scale, most) end;
  return plan;
end
$$;

-- Parts of one plan as parts of another, rounded up.
create function spillway.converted(
  parts double precision, before double precision, scale double precision
) returns double precision language sql immutable as $$
  select case when before = scale then parts else
    floor(parts / before) * scale
      + least(scale, ceil((parts - floor(parts / before) * before) / before * scale)) end
$$;

-- The most parts of a plan that count as used where so many are under another one: with its debt.
create function spillway.most_kept(
  spent double precision, before spillway.plan, plan spillway.plan
) returns double precision language sql immutable as $$
  select plan."full" + least(
    spillway.converted(greatest(0, spent - before."full"), before.scale, plan.scale), plan.spare)
$$;

-- A state as it is at `now`: the same, said of this instant.
create function spillway.present(state spillway.state, plan spillway.plan, now double precision)
returns spillway.state language plpgsql immutable as $$
declare
  over record;
begin
  if plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then
    state.used := spillway.bucket_used(state.used, state.since, plan.gain, now);
    state.since := greatest(state.since, now);
  elsif plan.kind = :SLIDING_LOG then
    over := spillway.log_over(state.log, greatest(state.since, now) - plan.period);
    state.used := state.used - over.units;
    state.log := state.log[2 * over.entries + 1:];
  elsif plan.kind = :CONCURRENCY then
    over := spillway.leases_over(state.log, greatest(state.since, now));
    state.used := state.used - over.units;
    state.log := state.log[3 * over.entries + 1:];
  else
    if plan.kind = :FIXED_WINDOW then
      state.used := spillway.fixed_used(state.used, state.since, plan.rate, plan.period, now);
    else
      state.previous := spillway.sliding_previous(
        state.used, state.since, state.previous, plan.period, now);
      state.used := spillway.sliding_used(state.used, state.since, plan.period, now);
    end if;
    state.since := state.since + plan.period * spillway.windows_gone(state.since, plan.period, now);
  end if;
  state.unsettled := least(state.unsettled, state.used);
  return state;
end
$$;

-- Parts used, of a state that is as it is at `now`.
create function spillway.spent(state spillway.state, plan spillway.plan, now double precision)
returns double precision language sql immutable as $$
  select case when plan.kind = :SLIDING_WINDOW
    then spillway.sliding_spent(state.used, state.since, state.previous, plan.period, now)
    else state.used end
$$;

-- A state begun anew, with parts already used, some of which may be settled. A block stays.
create function spillway.begun(
  state spillway.state, plan spillway.plan, now double precision,
  spent double precision = 0, unsettled double precision = 0
) returns spillway.state language plpgsql immutable as $$
begin
  state.used := ceil(spent / case when plan.kind = :SLIDING_WINDOW then plan.scale else 1 end);
  state.unsettled := case when plan.kind = :CONCURRENCY then 0
    else floor(unsettled / case when plan.kind = :SLIDING_WINDOW then plan.scale else 1 end) end;
  state.since := case when plan.kind in (:FIXED_WINDOW, :SLIDING_WINDOW)
    then spillway.window_start(plan.anchor, plan.period, now) else now end;
  state.previous := 0;
  state.log := case when plan.kind in (:SLIDING_LOG, :CONCURRENCY) then '{}'::double precision[] end;
  if spent > 0 and plan.kind = :SLIDING_LOG then state.log := array[now, spent]; end if;
  -- Held by a lease of nobody's, until that is over.
  if spent > 0 and plan.kind = :CONCURRENCY then state.log := array[now + plan.period, spent, 0]; end if;
  return state;
end
$$;

-- A state written under another definition: what was used stays used, as far as this one can hold it.
create function spillway.adopted(
  state spillway.state, before spillway.plan, plan spillway.plan, now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  old spillway.state := spillway.present(state, before, now);
  share constant double precision := case when before.kind = :SLIDING_WINDOW then before.scale else 1 end;
  old_spent double precision;
  spent double precision;
  most double precision;
begin
  if plan.kind = :CONCURRENCY and before.kind = :CONCURRENCY then
    -- All that is in flight stays so, but for no longer than a lease that is taken now.
    old.since := greatest(old.since, now);
    old.log := spillway.leases_shorten(old.log, old.since + plan.period);
    return old;
  end if;
  old_spent := spillway.spent(old, before, now);
  spent := spillway.converted(old_spent, before.scale, plan.scale);
  most := spillway.most_kept(old_spent, before, plan);
  if plan.kind = before.kind and plan.period = before.period and spent <= most and (plan.kind = :SLIDING_LOG or
    plan.kind = :SLIDING_WINDOW and split_part(plan.definition, ':', 6) = split_part(before.definition, ':', 6))
  then return state; end if;
  spent := least(spent, most);
  return spillway.begun(state, plan, greatest(now, state.since), spent, least(spent,
    spillway.converted(old.unsettled * share, before.scale, plan.scale)));
end
$$;

-- A state that is ahead of the clock. Far: it goes back with the clock, by whole windows, to the one that
-- begins next; less: time stands still. What says nothing need not wait; a block does say something.
create function spillway.gone_back(
  state spillway.state, plan spillway.plan, now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  grid constant double precision := case when plan.kind in (:FIXED_WINDOW, :SLIDING_WINDOW) then plan.period else 1 end;
  ms constant double precision := floor((state.since - now) / grid) * grid;
begin
  if state.since - now >= plan.period then
    state.since := state.since - ms;
    state.blocked_until := greatest(0, state.blocked_until - ms);
    state.log := case when plan.kind = :CONCURRENCY then spillway.leases_rewind(state.log, ms)
      else coalesce(spillway.log_rewind(state.log, ms), state.log) end;
  end if;
  if state.since > now and state.used = 0 and state.previous = 0 and state.blocked_until <= now then
    return spillway.begun(state, plan, now);
  end if;
  return state;
end
$$;
