-- Locks the rows of budgets, carries out steps on them, and writes those that have changed; see take.sql.
create function spillway.carry_out(
  ids text[], plans spillway.plan[], owners int[], extras double precision[],
  steps double precision[], at double precision,
  out instant double precision, out charged int, out states text[]
) language plpgsql as $$
declare
  now double precision;
  -- What is known of the budgets, a column each, by their places: an array of rows would be taken apart
  -- and put together again at every step.
  limits spillway.plan[];
  definitions text[];
  used double precision[];
  since double precision[];
  previous double precision[];
  unsettled double precision[];
  blocked double precision[];
  logs spillway.log[];
  others spillway.others[];
  -- The same, not yet brought to this instant, for rows that keep what they say: it differs where the
  -- clock goes back.
  kept_used double precision[];
  kept_since double precision[];
  kept_previous double precision[];
  kept_unsettled double precision[];
  kept_logs spillway.log[];
  fresh_at double precision[];
  -- Whether a row is to be written, and whether with other numbers.
  changed boolean[] := array_fill(false, array[cardinality(ids)]);
  stepped boolean[] := changed;
  b int;
  plan spillway.plan;
  state spillway.state;
  found spillway.state;
  tracked spillway.tracked;
  next int := 1;
  step double precision;
  asks double precision[];
  fits boolean;
  unit double precision;
begin
  -- One pass over all rows, in one order for everybody, each locked or made: nobody who holds one waits
  -- for one that comes before it.
  insert into spillway.budgets (id, plan, used, since, previous, unsettled, blocked_until, fresh_at)
  select id, '', 0, 0, 0, 0, 0, 0 from unnest(ids) as id order by id collate "C"
  on conflict (id) do update set used = excluded.used where false;

  -- Not before all are held: no state is of a later instant, unless a clock went back.
  now := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
  instant := now;
  charged := 0;

  select array_agg(held.plan), array_agg(held.used), array_agg(held.since), array_agg(held.previous),
    array_agg(held.unsettled), array_agg(held.blocked_until), array_agg(row(held.log)::spillway.log),
    array_agg(row(held.others)::spillway.others)
  into definitions, used, since, previous, unsettled, blocked, logs, others
  from (
    select budget.* from unnest(ids) with ordinality as asked(id, place)
    cross join lateral (select * from spillway.budgets where budgets.id = asked.id) as budget
    order by place
  ) as held;

  -- At REPEATABLE READ and above, a row that was swept since the transaction began is seen beside the one
  -- that was made in its place.
  if cardinality(used) <> cardinality(ids) then
    raise serialization_failure using message = 'a row was swept since the transaction began';
  end if;
  kept_used := used;
  kept_since := since;
  kept_previous := previous;
  kept_unsettled := unsettled;
  kept_logs := logs;

  -- Each state as it is now, and told.
  for b in 1..cardinality(ids) loop
    plan := plans[owners[b]];
    plan.anchor := extras[b];
    limits[b] := plan;
    if plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) and definitions[b] = plan.definition and since[b] <= now then
      used[b] := spillway.bucket_used(used[b], since[b], plan.gain, now);
      since[b] := now;
      unsettled[b] := least(unsettled[b], used[b]);
    else
      -- Written, even by a look: what is carried over at this instant must not be carried over again.
      changed[b] := definitions[b] <> '' and (definitions[b] <> plan.definition or since[b] > now);
      tracked := spillway.followed(row(used[b], since[b], previous[b], unsettled[b], blocked[b],
        (logs[b]).entries)::spillway.state, definitions[b], plan, (others[b]).entries, now);
      state := tracked.state;
      others[b] := row(tracked.others)::spillway.others;
      kept_used[b] := state.used;
      kept_since[b] := state.since;
      kept_previous[b] := state.previous;
      kept_unsettled[b] := state.unsettled;
      kept_logs[b] := row(state.log)::spillway.log;
      state := spillway.present(state, plan, now);
      used[b] := state.used;
      since[b] := state.since;
      previous[b] := state.previous;
      unsettled[b] := state.unsettled;
      blocked[b] := state.blocked_until;
      logs[b] := row(state.log)::spillway.log;
    end if;
    states[b] := spillway.told(used[b], since[b], previous[b], unsettled[b], blocked[b], now);
    if plan.kind = :SLIDING_LOG then
      states[b] := states[b] || spillway.log_told((logs[b]).entries, used[b] + extras[b] - plan."full");
    elsif plan.kind = :CONCURRENCY then
      states[b] := states[b] || spillway.leases_told((logs[b]).entries);
    end if;
  end loop;

  while next <= cardinality(steps) loop
    step := steps[next];
    if step < :TAKE then
      b := steps[next + 1];
      found := row(used[b], since[b], previous[b], unsettled[b], blocked[b], (logs[b]).entries);
      state := spillway.after_step(
        found, limits[b], step, steps[next + 2], steps[next + 3], now);
      if (others[b]).entries is not null then
        others[b] := row(spillway.others_after_step((others[b]).entries, found, state, limits[b],
          step, steps[next + 2], steps[next + 3], now))::spillway.others;
      end if;
      -- What has come back altogether need not wait for a clock that is behind.
      if state.since > now then state := spillway.gone_back(state, limits[b], now); end if;
      used[b] := state.used;
      since[b] := state.since;
      previous[b] := state.previous;
      unsettled[b] := state.unsettled;
      blocked[b] := state.blocked_until;
      logs[b] := row(state.log)::spillway.log;
      changed[b] := true;
      stepped[b] := stepped[b] or step <> :UNBLOCK;
      next := next + 1 + :FIELDS(step);
      continue;
    end if;

    -- Takes: from one budget, or from several if all of them have what is asked.
    if step > 0 then
      asks := array[step, 1, 0, 0, 0];
      next := next + 1;
    else
      asks := steps[next + 2:next + 1 + :ASK * steps[next + 1]::int];
      next := next + 2 + cardinality(asks);
    end if;
    fits := true;
    for n in 1..cardinality(asks) by :ASK loop
      b := asks[n];
      plan := limits[b];
      fits := fits and blocked[b] <= now and case when plan.kind = :SLIDING_WINDOW
          then spillway.sliding_spent(used[b], since[b], previous[b], plan.period, now) else used[b] end
        + greatest(1, asks[n + 1]) * plan.scale + asks[n + 3]
        <= plan."full" + asks[n + 2] * plan.spare;
    end loop;
    continue when not fits;
    charged := charged + cardinality(asks) / :ASK;
    for n in 1..cardinality(asks) by :ASK loop
      continue when asks[n + 1] = 0;
      b := asks[n];
      unit := case when (limits[b]).kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then (limits[b]).scale else 1 end;
      used[b] := used[b] + asks[n + 1] * unit;
      if (limits[b]).kind = :CONCURRENCY then
        since[b] := greatest(since[b], now);
        logs[b] := row(spillway.leases_add((logs[b]).entries, since[b] + (limits[b]).period, asks[n + 1],
          asks[n + 4]))::spillway.log;
      else
        unsettled[b] := unsettled[b] + asks[n + 1] * unit;
      end if;
      if (limits[b]).kind = :SLIDING_LOG then
        since[b] := greatest(since[b], now);
        logs[b] := row(spillway.log_add((logs[b]).entries, since[b], asks[n + 1]))::spillway.log;
      end if;
      if (others[b]).entries is not null then
        others[b] := row(spillway.shared((others[b]).entries, limits[b],
          case when (limits[b]).kind = :SLIDING_WINDOW then spillway.sliding_spent(
            used[b], since[b], previous[b], (limits[b]).period, now) else used[b] end,
          asks[n + 1], asks[n + 4], now))::spillway.others;
      end if;
      changed[b] := true;
      stepped[b] := true;
    end loop;
  end loop;

  if not true = any(changed) then return; end if;
  for b in 1..cardinality(ids) loop
    plan := limits[b];
    fresh_at[b] := greatest(blocked[b], case
      when plan.kind in (:TOKEN_BUCKET, :LEAKY_BUCKET) then spillway.bucket_fresh_at(used[b], since[b], plan.gain, now)
      when plan.kind = :FIXED_WINDOW then spillway.fixed_fresh_at(used[b], since[b], plan.rate, plan.period, now)
      when plan.kind = :SLIDING_WINDOW then spillway.sliding_fresh_at(used[b], since[b], previous[b], plan.period, now)
      else case when used[b] = 0 then now else since[b] + plan.period end end);
    if (others[b]).entries is not null then
      fresh_at[b] := greatest(fresh_at[b],
        (select max(one.until) from unnest((others[b]).entries) as one));
    end if;
    if not stepped[b] then
      used[b] := kept_used[b];
      since[b] := kept_since[b];
      previous[b] := kept_previous[b];
      unsettled[b] := kept_unsettled[b];
      logs[b] := kept_logs[b];
    end if;
  end loop;
  insert into spillway.budgets
    (id, plan, used, since, previous, unsettled, blocked_until, fresh_at, log, others)
  select one.id, (plans[one.owner]).definition, one.used, one.since, one.previous, one.unsettled,
    one.blocked, one.fresh_at, one.log, one.others
  from unnest(ids, owners, used, since, previous, unsettled, blocked, fresh_at, changed, logs, others)
    as one(id, owner, used, since, previous, unsettled, blocked, fresh_at, changed, log, others)
  where one.changed
  on conflict (id) do update set plan = excluded.plan, used = excluded.used, since = excluded.since,
    previous = excluded.previous, unsettled = excluded.unsettled,
    blocked_until = excluded.blocked_until, fresh_at = excluded.fresh_at, log = excluded.log,
    others = excluded.others;
end
$$;
