-- Rows of `spillway.entries`, found by one of its two indexes. A plan is made once a session, by what statistics say
-- then, and used for lists of any length later. So nothing is left to them: as nothing may be sorted, only the index
-- with the order that is asked for can be used. `between` keeps the planner from reasoning that the order by an id
-- that is given is none. To compile such a query takes longer than the query.

-- Those with some ids, each once.
create function v.entries_with(of_list uuid, ids float8[])
returns table (place tid, id float8, instant float8, units float8) language plpgsql stable
set enable_sort = off set jit = off as $$
begin
  return query select entry.* from (select distinct unnest(ids)) as named(id)
  cross join lateral (
    select e.ctid, e.id, e.instant, e.units from spillway.entries as e
    where e.list = of_list and e.id between named.id and named.id order by e.id limit 1
  ) as entry;
end $$;

-- Those of instants after one and up to another.
create function v.entries_between(of_list uuid, past float8, upto float8)
returns table (place tid, id float8, instant float8, units float8) language plpgsql stable
set enable_sort = off set jit = off as $$
begin
  return query select e.ctid, e.id, e.instant, e.units from spillway.entries as e
  where e.list = of_list and e.instant > past and e.instant <= upto order by e.instant, e.id;
end $$;
