-- Long lists: the entries of a sliding log, the leases of a concurrency limit. A row keeps the newest of
-- them, and the older ones have rows of their own, so that what an ask costs does not grow with the list.
--
-- Functions of states only read these rows. Which of them count, the state says: what expires moves `past`,
-- what is settled moves `last`, and released leases are named in `removed`. `spill` alone writes, when a
-- state is written.

-- The numbers that the list in a row may have, and how many of them stay when the rest is moved out: whole
-- entries of two numbers, and whole leases of three. A row of more than 2 kB would be stored in parts.
create function v.most_numbers() returns int language sql immutable as $$ select 128 $$;
create function v.numbers_kept() returns int language sql immutable as $$ select 60 $$;

-- The whole list in the state itself, for what depends on all of it or rewrites it.
create function v.gathered(state v.state, plan v.plan) returns v.state language plpgsql stable as $$
declare
  entries constant float8[] := state.entries;
begin
  if (state.older).list is null then return state; end if;
  state.entries := v.older_entries(state, plan) || entries;
  state.older := null;
  return state;
end $$;

-- Writes what a state says of its older entries, and makes one of a list that has become long. `before`
-- is what the row has said of them.
create function v.spill(before spillway.older, state v.state, plan v.plan) returns v.state
language plpgsql as $$
declare
  kept int;
begin
  -- While several definitions are in use, each state has its whole list. Shares are few.
  kept := case when cardinality(state.entries) > v.most_numbers() and state.others is null
    and not v.lends_units(plan) then v.numbers_kept() end;
  -- Positions have to stay exact: the list begins anew.
  if kept is not null and (state.older).last + state.used > v.exact() and not v.holds_leases(plan) then
    state := v.gathered(state, plan);
  end if;
  if before.list is distinct from (state.older).list then
    delete from spillway.entries where list = before.list;
  elsif (state.older).removed is not null then
    delete from spillway.entries
    where ctid = any (array(select place from v.entries_with(before.list, (state.older).removed)));
    state.older := row(before.list, (state.older).past, (state.older).last, null);
  end if;
  if kept is not null then
    state.older := v.move_out(state.older, state.entries[:cardinality(state.entries) - kept], plan);
    state.entries := state.entries[cardinality(state.entries) - kept + 1:];
  end if;
  return state;
end $$;
