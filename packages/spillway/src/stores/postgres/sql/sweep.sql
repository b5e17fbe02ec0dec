-- Looks at some rows after an id, in the order of ids, and removes those that say no more than no row
-- would. What somebody has locked is in use and stays. Answers where it ended; '' begins anew.
create function spillway.sweep(after text, amount int, at double precision)
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  now constant double precision := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
  seen text[] := array(
    select id from spillway.budgets where id > after collate "C" order by id limit amount);
begin
  delete from spillway.budgets where id = any (array(
    select id from spillway.budgets where id = any (seen) and fresh_at <= now for update skip locked));
  return case when cardinality(seen) < amount then '' else seen[amount] end;
end
$$;

-- Which of some rows somebody has locked, as JSON.
create function spillway.held(ids text[])
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  free text[] := array(
    select id from spillway.budgets where id = any (ids) for no key update skip locked);
begin
  return (
    select coalesce(json_agg(id), '[]')::text from spillway.budgets
    where id = any (ids) and not id = any (free));
end
$$;
