-- The state of a bucket before `taken` was taken, as a reply describes it: see execute.sql.
create function v.state_before(used float8, unsettled float8, taken float8, since_now text) returns text
language sql stable as $$
  select (used - taken)::bigint || since_now
    || case when unsettled = used then '' else ',' || (unsettled - taken)::bigint end $$;

-- The same takes as steps, for rows that are not as expected.
create function v.execute_takes(
  ids text[], limit_definition text, taken float8, available float8, at float8, lock_timeout int
) returns text language plpgsql as $$
declare
  plan constant v.plan := v.plan_from(limit_definition);
  reserve constant int := case when available > plan.capacity_ticks then 1 else 0 end;
  steps float8[];
begin
  for n in 1..cardinality(ids) loop
    steps := steps || array[:TAKE, 1, n, taken / plan.ticks_per_unit, reserve, 0, 0];
  end loop;
  return v.execute(ids, array[limit_definition], array_fill(1, array[cardinality(ids)]),
    array_fill(0::float8, array[cardinality(ids)]), '{}', steps, at, lock_timeout, '');
end $$;

-- Takes from those of some buckets that were not `served`, and describes all in the order of their ids: `states` are
-- those that were, `instant` when.
create function v.take_missed(
  ids text[], served text[], states text, instant text, limit_definition text, taken float8, available float8,
  at float8, lock_timeout int
) returns text language plpgsql as $$
declare
  missed constant text[] := array(select id from unnest(ids) with ordinality as asked(id, place)
    where served is null or id <> all (served) order by place);
  total int := coalesce(cardinality(served), 0);
  rest text[];
begin
  if missed <> '{}' then
    -- By the time after the rows are locked: before, a wait for them would look like a clock that went back.
    rest := string_to_array(v.execute_takes(missed, limit_definition, taken, available, at, lock_timeout), ' ');
    instant := rest[1];
    total := total + rest[2]::int;
    states := concat_ws(';', states, rest[3]);
  end if;
  return instant || ' ' || total || ' ' || (
    select string_agg(state, ';' order by array_position(ids, id))
    from unnest(served || missed, string_to_array(states, ';')) as every(id, state));
end $$;

-- The same number of units from each of some buckets under one limit, where rows may be missing or locked already
-- by this transaction. One statement takes them from the rows that are as expected. The others it leaves to
-- `execute`, locked.
-- `taken` and `available` are in ticks, of which `refill` come back each millisecond. The rest, and what is
-- returned, is as for `execute`. Rows are locked in the order of their ids, in whatever order these come; in that
-- order they are best sent, for then the answers need not be put into the order in which they were asked for.
create function v.take_from_buckets(
  ids text[], limit_definition text, taken float8, available float8, refill float8, at float8,
  lock_timeout int, xact text
) returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  setting text;
  reply_end text := '';
  now float8;
  instant text;
  since_now text;
  served text[];
  states text;
begin
  if lock_timeout is not null then
    setting := set_config('lock_timeout', lock_timeout::text, true);
  else
    reply_end := v.reply_end(xact);
    if reply_end is null then return 'over'; end if;
    -- In a transaction of the caller's a wait can be long: the clock is read once the rows are locked.
    perform v.lock_present(ids);
  end if;
  now := v.clock(at);
  instant := now::bigint;
  since_now := ',' || instant;
  if cardinality(ids) = 1 then
    insert into spillway.budgets as b
      (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
    values (ids[1], limit_definition, taken, now, 0, taken, 0, v.refilled_at(taken, now, refill))
    on conflict (id) do update set
    --include take-from-row.sql
    returning v.state_before(b.used, b.unsettled, taken, since_now) into states;
    if states is not null then return instant || ' 1 ' || states || reply_end; end if;
  else
    with charged as (
      insert into spillway.budgets as b
        (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
      select id, limit_definition, taken, now, 0, taken, 0, v.refilled_at(taken, now, refill)
      from unnest(ids) as id
      order by id collate "C"
      on conflict (id) do update set
      --include take-from-row.sql
      returning b.id, v.state_before(b.used, b.unsettled, taken, since_now) as state
    )
    select array_agg(charged.id), string_agg(charged.state, ';') into served, states from charged;
    if served = ids then return instant || ' ' || cardinality(ids) || ' ' || states || reply_end; end if;
  end if;
  return v.take_missed(ids, served, states, instant, limit_definition, taken, available, at, lock_timeout)
    || reply_end;
end $$;
