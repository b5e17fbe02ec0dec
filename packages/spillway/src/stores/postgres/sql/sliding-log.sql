-- Sliding log: an entry for each millisecond in which units were taken, kept for one period: instant,
-- units. `used` is the sum of all units, `since` the latest instant at which some were taken.
--
-- The position of an entry is the sum of all units up to and including it, since the list was begun. Older
-- entries that count are those after the position `past`, up to the position `last`. The first and the last
-- of them may count in part.

create function v.sliding_log_width() returns int language sql immutable as $$ select 2 $$;

-- Without the expired entries of a long log.
create function v.log_without_expired(state v.state, at float8) returns v.state
language plpgsql stable set enable_sort = off as $$
declare
  older spillway.older := state.older;
  expired float8 := (
    select id from spillway.entries where list = older.list and instant <= at
    order by instant desc, id desc limit 1);
begin
  if expired > older.past then
    expired := least(expired, older.last);
    state.used := state.used - (expired - older.past);
    state.unsettled := least(state.unsettled, state.used);
    older.past := expired;
    state.older := case when expired < older.last then older end;
  end if;
  return case when (state.older).list is null then v.without_expired(state, 2, at) else state end;
end $$;

create function v.sliding_log_advance(state v.state, plan v.plan, now float8) returns v.state
language sql stable as $$
  select case when (state.older).list is null
    then v.without_expired(state, 2, greatest(state.since, now) - plan.period)
    else v.log_without_expired(state, greatest(state.since, now) - plan.period) end $$;

-- The instant of the newest of the older entries.
create function v.newest_older(older spillway.older) returns float8 language plpgsql stable
set enable_sort = off as $$
begin
  return (
    select instant from spillway.entries where list = older.list and id >= older.last
    order by id limit 1);
end $$;

create function v.sliding_log_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql stable as $$
  select case when state.used = 0 then now
    else coalesce(state.entries[cardinality(state.entries) - 1], v.newest_older(state.older))
      + plan.period end $$;

-- Adds units at `now`, or at the newest entry if that is later.
create function v.log_units(state v.state, units float8, now float8) returns v.state
language plpgsql immutable as $$
declare
  last constant int := cardinality(state.entries);
begin
  state.since := greatest(state.since, now);
  if state.entries[last - 1] = state.since then
    state.entries[last] := state.entries[last] + units;
  else
    state.entries := state.entries || array[state.since, units];
  end if;
  return state;
end $$;

-- Takes units off the newest entries.
create function v.unlog_units(state v.state, units float8) returns v.state
language plpgsql immutable as $$
declare
  last int := cardinality(state.entries);
begin
  while units > 0 and last > 0 loop
    if state.entries[last] > units then
      state.entries[last] := state.entries[last] - units;
      exit;
    end if;
    units := units - state.entries[last];
    last := last - 2;
  end loop;
  state.entries := state.entries[:last];
  if units > 0 and last = 0 then state.older := v.older_log_up_to(state.older, units); end if;
  return state;
end $$;

-- Without so many of the newest units.
create function v.older_log_up_to(older spillway.older, units float8) returns spillway.older
language plpgsql immutable as $$
begin
  older.last := older.last - units;
  return case when older.last > older.past then older end;
end $$;

create function v.sliding_log_begin(
  state v.state, plan v.plan, spent float8, unsettled float8, now float8
) returns v.state language plpgsql immutable as $$
begin
  state := v.rate_begin(state, plan, spent, unsettled, now);
  state.entries := case when spent > 0 then array[now, spent] else '{}' end;
  return state;
end $$;

create function v.sliding_log_charge(
  state v.state, plan v.plan, units float8, lease float8, now float8
) returns v.state language sql immutable as $$
  select v.log_units(v.rate_charge(state, plan, units, lease, now), units, now) $$;

create function v.sliding_log_settle(
  state v.state, plan v.plan, reserved float8, really float8, now float8
) returns v.state language plpgsql immutable as $$
declare
  used constant float8 := state.used;
begin
  state := v.rate_settle(state, plan, reserved, really, now);
  if state.used > used then return v.log_units(state, state.used - used, now); end if;
  return v.unlog_units(state, used - state.used);
end $$;

create function v.sliding_log_inherit(
  state v.state, advanced v.state, old v.plan, plan v.plan, now float8
) returns v.state language sql immutable as $$
  select case when plan.period = old.period and advanced.used <= plan.capacity_ticks then state end $$;

-- The older entries that count: instant, units, and so on.
create function v.sliding_log_older_entries(state v.state) returns float8[]
language sql stable as $$
  select array_agg(number order by entry.id, place)
  from spillway.entries as entry
  cross join lateral unnest(array[entry.instant, least(entry.id, (state.older).last)
    - greatest(entry.id - entry.units, (state.older).past)]) with ordinality as numbers(number, place)
  where entry.list = (state.older).list and entry.id > (state.older).past
    and entry.id - entry.units < (state.older).last $$;

-- Moves the oldest entries of a row out, after those that are out.
create function v.sliding_log_move_out(older spillway.older, moved float8[]) returns spillway.older
language plpgsql set enable_sort = off set jit = off as $$
begin
  if older.list is null then older := row(gen_random_uuid(), 0, 0, null)::spillway.older; end if;
  -- What has expired; and beyond the last, what was settled since.
  delete from spillway.entries where ctid = any (array(
    select ctid from spillway.entries where list = older.list and id <= older.past order by id));
  delete from spillway.entries where id - units >= older.last and ctid = any (array(
    select ctid from spillway.entries where list = older.list and id > older.last order by id));
  update spillway.entries set id = older.last, units = units - (id - older.last)
  where ctid = any (array(
    select ctid from spillway.entries where list = older.list and id > older.last order by id));
  with added as (
    insert into spillway.entries (list, id, instant, units)
    select older.list, older.last + sum(moved[2 * n]) over (order by n), moved[2 * n - 1], moved[2 * n]
    from generate_series(1, cardinality(moved) / 2) as n
    returning id)
  select max(id) into older.last from added;
  return older;
end $$;

-- The entries in the way of an ask, those that a settlement takes units back from, the oldest and the newest
-- one. What lies between is added to the next entry that is shown.
create function v.sliding_log_shown(state v.state, plan v.plan, needs float8[], leases float8[])
returns float8[] language plpgsql stable as $$
declare
  excess constant float8 := state.used - plan.capacity_ticks;
  low constant float8 := excess + needs[1];
  high constant float8 := excess + needs[2];
  back_low constant float8 := state.used - least(needs[4], state.unsettled);
  back_high constant float8 := state.used - least(needs[3], state.unsettled);
  entries constant float8[] := state.entries;
  older constant spillway.older := state.older;
  last constant int := cardinality(entries);
  passed float8 := 0;
  returned float8 := 0;
  shown float8[] := '{}';
begin
  if older.list is not null then
    passed := older.last - older.past;
    shown := coalesce(v.older_shown(older, array[low, high, back_low, back_high, last]), '{}');
    returned := coalesce((select sum(shown[n]) from generate_series(2, cardinality(shown), 2) as n), 0);
  end if;
  for n in 2..last by 2 loop
    passed := passed + entries[n];
    if n = last or returned = 0 or (passed >= low and passed - entries[n] < high)
      or (passed >= back_low and passed - entries[n] < back_high)
    then
      shown := shown || array[entries[n - 1], passed - returned];
      returned := passed;
    end if;
  end loop;
  return shown;
end $$;

create function v.older_between(older spillway.older, low float8, high float8)
returns table (upto float8, instant float8) language sql stable as $$
  select least(entry.id, older.last) - older.past, entry.instant
  from spillway.entries as entry
  where entry.list = older.list and entry.id > older.past and low <= high
    and entry.id - entry.units < older.last
    and entry.id >= older.past + low and entry.id <= coalesce((
      select beyond.id from spillway.entries as beyond
      where beyond.list = older.list and beyond.id >= older.past + high and beyond.id > older.past
      order by beyond.id limit 1), 'Infinity')
  order by entry.id $$;

-- The same of the older entries, in counts of units of which the first is at `past`.
create function v.older_shown(older spillway.older, needs float8[]) returns float8[]
language plpgsql stable set enable_sort = off set jit = off as $$
begin
  return (with found as (
    select * from v.older_between(older, needs[1], needs[2])
    union select * from v.older_between(older, needs[3], needs[4])
    union select * from v.older_between(older, 0, 0)
    union select * from v.older_between(older, older.last - older.past, case when needs[5] = 0
      then older.last - older.past else '-Infinity' end)
  ), parts as (
    select upto, instant, upto - lag(upto, 1, 0::float8) over (order by upto) as units
    from found
  )
  select array_agg(number order by upto, place) from parts
  cross join lateral unnest(array[instant, units]) with ordinality as numbers(number, place));
end $$;
