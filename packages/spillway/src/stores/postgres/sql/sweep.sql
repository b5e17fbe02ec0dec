-- Reads some rows that follow an id, in the order of ids, and removes those that equal no row. A row that is
-- locked is in use and stays. Returns the last id read; '' starts again.
create function v.sweep(after text, amount int, at float8)
returns text language plpgsql set search_path = pg_catalog, pg_temp
-- One scan of the index, whatever the table's statistics say, and a plan for it once.
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  now constant float8 := v.clock(at);
  seen record;
begin
  select count(*) as amount, max(id) as last_id, array_agg(id) filter (where fresh_at <= now) as fresh
  into seen from (
    select id, fresh_at from spillway.budgets where id > after collate "C" order by id limit amount
  ) as following;
  -- Mostly there are none.
  if seen.fresh is not null then
    with swept as (
      delete from spillway.budgets where id = any (array(
        select id from spillway.budgets where id = any (seen.fresh) and fresh_at <= now
        for update skip locked))
      returning (older).list as list)
    delete from spillway.entries where list = any (array(select list from swept where list is not null));
  end if;
  return case when seen.amount < amount then '' else seen.last_id end;
end $$;

-- Which of some rows are locked by other transactions, as JSON.
create function v.locked(ids text[])
returns text language plpgsql set search_path = pg_catalog, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  free constant text[] := array(
    select id from spillway.budgets where id = any (ids) for no key update skip locked);
begin
  return (
    select coalesce(json_agg(id), '[]')::text from spillway.budgets
    where id = any (ids) and not id = any (free));
end $$;
