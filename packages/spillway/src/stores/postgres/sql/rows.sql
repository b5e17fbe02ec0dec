-- Rows, from the table and back.

-- Waits for a locked row no longer than that; null to wait as long as the transaction does.
create function v.wait_at_most(lock_timeout int) returns text language sql volatile as $$
  select case when lock_timeout is not null then set_config('lock_timeout', lock_timeout::text, true) end $$;

-- Locks the rows of budgets, and makes those that are missing. One pass in one order for everybody: whoever
-- holds a row never waits for one that comes before it.
create function v.lock(ids text[]) returns void language plpgsql as $$
begin
  insert into spillway.budgets
    (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
  select id, '', 0, 0, 0, 0, 0, 0 from unnest(ids) as id order by id collate "C"
  on conflict (id) do update set used = excluded.used where false;
end $$;

-- Locks those that there are, in the same order.
create function v.lock_present(ids text[]) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform from spillway.budgets as b where b.id = any (ids) order by b.id for no key update;
end $$;

-- Reads the rows of budgets, in the order of the ids. One that is missing has the definition ''. With its limit
-- the inner query can't be joined in any way but by one search for each id, whatever the table's statistics say.
create function v.read(ids text[], out definitions text[], out states v.state[]) language plpgsql as $$
begin
  select array_agg(coalesce(found.definition, '')), array_agg(case when found.definition is null
    then row(0, 0, 0, 0, 0, null, null, null, null)::v.state
    else row(found.used, found.since, found.previous, found.unsettled, found.blocked_until,
      found.entries, case when found.record is null then found.others else v.without_record(found.others) end,
      found.older, found.record)::v.state end)
  into definitions, states
  from (
    select budget.*, case when budget.others is not null then v.record_in(budget.others) end as record
    from unnest(ids) with ordinality as asked(id, place)
    left join lateral (select * from spillway.budgets where budgets.id = asked.id limit 2) as budget on true
    order by place
  ) as found;
  -- At REPEATABLE READ and above, a row that was swept since the transaction began is seen beside the one
  -- that was made in its place: two rows.
  if cardinality(states) <> cardinality(ids) then
    raise serialization_failure using message = 'a row was swept since the transaction began';
  end if;
end $$;

-- Writes the states that are not null, and what they say of their older entries. `before` is what the rows have
-- held; `advanced` are the states as they are at `now`.
create function v.write(
  ids text[], plans v.plan[], before v.state[], states v.state[], advanced v.state[], now float8
) returns void language plpgsql as $$
begin
  for b in 1..cardinality(ids) loop
    continue when (states[b]).used is null;
    if (states[b]).entries is not null or ((before[b]).older).list is not null then
      states[b] := v.spill((before[b]).older, states[b], plans[b]);
    end if;
    if (states[b]).penalty is not null then states[b] := v.with_record(states[b], plans[b]); end if;
  end loop;
  insert into spillway.budgets (id, definition, used, since, previous, unsettled, blocked_until, fresh_at,
    entries, others, older)
  select ids[n], (plans[n]).definition, state.used, state.since, state.previous, state.unsettled,
    state.blocked_until, greatest(state.blocked_until, v.fresh_at(advanced[n], plans[n], now),
      (select max(other.until) from unnest(state.others) as other)), state.entries, state.others, state.older
  from unnest(states) with ordinality as state(used, since, previous, unsettled, blocked_until,
    entries, others, older, penalty, n)
  where state.used is not null
  on conflict (id) do update set definition = excluded.definition, used = excluded.used,
    since = excluded.since, previous = excluded.previous, unsettled = excluded.unsettled,
    blocked_until = excluded.blocked_until, fresh_at = excluded.fresh_at, entries = excluded.entries,
    others = excluded.others, older = excluded.older;
end $$;

-- A state as a reply describes it: see execute.sql.
create function v.snapshot(state v.state, plan v.plan, needs float8[], leases float8[]) returns text
language sql stable as $$
  select state.used::bigint || ',' || state.since::bigint
    || case when state.previous = 0 and state.blocked_until = 0 and state.unsettled = state.used
      and state.penalty is null then ''
      else ',' || state.unsettled::bigint || ',' || state.previous::bigint || ','
        || state.blocked_until::bigint || coalesce(',' || array_to_string(state.penalty::bigint[], ','), '') end
    || case when state.entries is null then '' else coalesce(':' || array_to_string(
      nullif(v.shown(state, plan, needs, leases), '{}')::bigint[], ','), '') end $$;
