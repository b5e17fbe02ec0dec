-- What is asked most: one unit from each of some buckets under one limit. One statement takes it from
-- rows that are as one would expect; those it can't take from it leaves as they are, locked, to
-- `carry_out`. Parameters and answer are those of `take`. What it takes, it takes by the time before it
-- has waited for any row, which is never too much; it is for where nobody waits long.
create function spillway.take_one_each(
  ids text[], plan spillway.plan, at double precision, patience int
) returns text language plpgsql
set plan_cache_mode = force_generic_plan set search_path = pg_catalog, pg_temp as $$
declare
  now constant double precision := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
  -- The arithmetic of token-bucket.sql needs these, and fields of a row take longer to come by.
  definition constant text := plan.definition;
  scale constant double precision := plan.scale;
  gain constant double precision := plan.gain;
  "full" constant double precision := plan."full";
  setting text;
  states text[];
  charged int;
  rest record;
begin
  setting := set_config('lock_timeout', patience::text, true);
  with taken as (
    insert into spillway.budgets as b
      (id, plan, used, since, previous, unsettled, blocked_until, fresh_at)
    select id, definition, scale, now, 0, scale, 0, now + ceil(scale / gain)
    from unnest(ids) as id
    order by id collate "C"
    on conflict (id) do update set
      used = spillway.bucket_used(b.used, b.since, gain, now) + scale,
      since = now,
      unsettled = least(b.unsettled, spillway.bucket_used(b.used, b.since, gain, now)) + scale,
      fresh_at = now + ceil((spillway.bucket_used(b.used, b.since, gain, now) + scale) / gain)
    where b.plan = definition and b.since <= now and b.blocked_until <= now
      and b.others is null
      and spillway.bucket_used(b.used, b.since, gain, now) + scale <= "full"
    returning b.id, (b.used - scale)::bigint || ',0,' || (b.unsettled - scale)::bigint as state
  )
  select array_agg(taken.state order by asked.place), count(taken.id) into states, charged
  from unnest(ids) with ordinality as asked(id, place) left join taken on taken.id = asked.id;

  if charged < cardinality(ids) then
    -- By the time after the rows are held: before, a wait for them would look like a clock gone back.
    select carried.* into rest from (
      select array_agg(ids[place]) as ids, array_agg(1) as ones, array_agg(0::double precision) as zeros,
        array_agg(number::double precision) as steps
      from unnest(array_positions(states, null)) with ordinality as one(place, number)
    ) as left_over, spillway.carry_out(
      left_over.ids, array[plan], left_over.ones, left_over.zeros, left_over.steps, at) as carried;
    charged := charged + rest.charged;
    -- All are told at one instant: of those taken from before, how long before.
    states := array(
      select coalesce(replace(state, ',0,', ',' || (rest.instant - now)::bigint || ','),
        rest.states[count(*) filter (where state is null) over (order by place)])
      from unnest(states) with ordinality as told(state, place) order by place);
    return rest.instant::bigint || ' ' || charged || ' ' || array_to_string(states, ';');
  end if;
  return now::bigint || ' ' || charged || ' ' || array_to_string(states, ';');
end
$$;
