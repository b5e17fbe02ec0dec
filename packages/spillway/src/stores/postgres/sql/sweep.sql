-- Reads some rows that follow an id, in the order of ids, and removes those that equal no row. A row that is
-- locked is in use and stays. Returns the last id read; '' starts again.
create function v.sweep(after text, amount int, at float8)
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  now constant float8 := v.clock(at);
  seen constant text[] := array(
    select id from spillway.budgets where id > after collate "C" order by id limit amount);
begin
  with swept as (
    delete from spillway.budgets where id = any (array(
      select id from spillway.budgets where id = any (seen) and fresh_at <= now for update skip locked))
    returning (older).list as list)
  delete from spillway.entries using swept where entries.list = swept.list;
  return case when cardinality(seen) < amount then '' else seen[amount] end;
end $$;

-- Which of some rows are locked by other transactions, as JSON.
create function v.locked(ids text[])
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  free constant text[] := array(
    select id from spillway.budgets where id = any (ids) for no key update skip locked);
begin
  return (
    select coalesce(json_agg(id), '[]')::text from spillway.budgets
    where id = any (ids) and not id = any (free));
end $$;
