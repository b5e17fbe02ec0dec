-- The most frequent requests: the same number of units from each of some buckets under one limit. Most rows are there
-- and as expected: one update takes from them, which costs less than an upsert. It locks the rows that it changes in
-- the order of their ids. Those that refuse are only read.
--
-- `taken` and `available` are in ticks, of which `refill` come back each millisecond. The rest, and what is returned,
-- is as for `execute`, but for rows of several that are missing or not as expected: they are left, with an empty text
-- for their state. To lock them as well would be to lock them out of order, so it needs another transaction.
create function v.take_present(
  ids text[], limit_definition text, taken float8, available float8, refill float8, at float8, lock_timeout int
) returns text language plpgsql
-- An index that is searched for a list of ids returns rows in their order; no other plan locks them so.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set search_path = pg_catalog, pg_temp as $$
declare
  setting constant text := set_config('lock_timeout', lock_timeout::text, true);
  now constant float8 := v.clock(at);
  instant constant text := now::bigint;
  since_now constant text := ',' || instant;
  served text[];
  states text;
begin
  if cardinality(ids) = 1 then
    update spillway.budgets as b set
    --include take-from-row.sql
    and b.id = ids[1]
    returning v.state_before(b.used, b.unsettled, taken, since_now) into states;
    if states is not null then return instant || ' 1 ' || states; end if;
  else
    with taken_from as (
      update spillway.budgets as b set
      --include take-from-row.sql
      and b.id = any (ids)
      returning b.id, v.state_before(b.used, b.unsettled, taken, since_now) as state
    )
    select array_agg(t.id), string_agg(t.state, ';') into served, states from taken_from as t;
    if served = ids then return instant || ' ' || cardinality(ids) || ' ' || states; end if;
  end if;
  states := v.with_refused(ids, served, states, limit_definition, taken, available, refill, now);
  if states = '' then
    return v.take_from_buckets(ids, limit_definition, taken, available, refill, at, lock_timeout, '');
  end if;
  return instant || ' ' || coalesce(cardinality(served), 0) || ' ' || states;
end $$;

-- The states of all buckets in the order of `ids`: `states` of those that were `served`, those that refuse as they
-- are, and an empty text for each of the rest. With its limit the inner query can't be joined in any way but by one search for
-- each id.
create function v.with_refused(
  ids text[], served text[], states text, limit_definition text, taken float8, available float8, refill float8,
  now float8
) returns text language plpgsql as $$
declare
  known constant text[] := string_to_array(states, ';');
begin
  return (
    select string_agg(coalesce(known[array_position(served, asked.id)], refused.state, ''), ';' order by asked.place)
    from unnest(ids) with ordinality as asked(id, place)
    left join lateral (
      select b.used::bigint || ',' || b.since::bigint || ',' || b.unsettled::bigint || ',0,' || b.blocked_until::bigint
        as state
      from spillway.budgets as b
      where array_position(served, asked.id) is null
        and b.id = asked.id and b.definition = limit_definition and b.since <= now and b.others is null
        and not v.fits(b.blocked_until, v.ticks_missing(b.used, b.since, refill, now), taken, available, now)
      limit 1
    ) as refused on true);
end $$;
