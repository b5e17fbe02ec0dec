-- Concurrency: units are in flight, each held by a lease until it is released or expires. An entry for each
-- lease: expiry, units, id. `used` is the sum of all units, `since` the latest instant at which a lease was
-- taken or renewed.
--
-- Of the older leases those count that expire after the instant `past` and have not been removed; `last` is the
-- instant at which the newest of them expires.

-- Whether units of a limit are held by leases.
create function v.holds_leases(plan v.plan) returns boolean
language sql immutable as $$ select plan.kind = :CONCURRENCY $$;

-- The position of a lease's units among the entries; null where there is no such lease.
create function v.lease_units_at(entries float8[], lease float8) returns int
language plpgsql immutable as $$
declare
  place int := array_position(entries, lease);
begin
  -- An expiry and units can equal an id.
  while place % 3 <> 0 loop
    place := array_position(entries, lease, place + 1);
  end loop;
  return place - 1;
end $$;

-- The units of a lease; null where it is not in flight.
create function v.lease_units(state v.state, lease float8) returns float8
language plpgsql stable as $$
declare
  place constant int := v.lease_units_at(state.entries, lease);
  older constant spillway.older := state.older;
begin
  if place is not null or older.list is null then return state.entries[place]; end if;
  return (
    select entry.units from v.entries_with(older.list, array[lease]) as entry
    where entry.instant > older.past and (older.removed is null or lease <> all (older.removed)));
end $$;

-- Without a lease that is in flight, whose units still count as used.
create function v.without_lease(state v.state, lease float8) returns v.state
language plpgsql immutable as $$
declare
  place constant int := v.lease_units_at(state.entries, lease);
  older spillway.older := state.older;
begin
  if place is not null then
    state.entries := state.entries[:place - 2] || state.entries[place + 2:];
  else
    older.removed := array_append(older.removed, lease);
    state.older := older;
  end if;
  return state;
end $$;

create function v.concurrency_width() returns int language sql immutable as $$ select 3 $$;

-- Without the expired ones of many leases.
create function v.leases_without_expired(state v.state, at float8) returns v.state
language plpgsql stable as $$
declare
  older spillway.older := state.older;
  expired constant float8 := (
    select coalesce(sum(units), 0) from v.entries_between(older.list, older.past, at));
begin
  -- All of them may have been released.
  if expired > 0 or older.last <= at then
    state.used := state.used - expired;
    state.unsettled := least(state.unsettled, state.used);
    older.past := at;
    state.older := case when at < older.last then older end;
  end if;
  return case when (state.older).list is null then v.without_expired(state, 3, at) else state end;
end $$;

create function v.concurrency_advance(state v.state, plan v.plan, now float8) returns v.state
language sql stable as $$
  select case when (state.older).list is null
    then v.without_expired(state, 3, greatest(state.since, now))
    else v.leases_without_expired(state, greatest(state.since, now)) end $$;

create function v.concurrency_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when state.used = 0 then now else state.since + plan.period end $$;

-- What another kind has counted is held by a lease that belongs to nobody.
create function v.concurrency_begin(
  state v.state, plan v.plan, spent float8, unsettled float8, now float8
) returns v.state language plpgsql immutable as $$
begin
  state := v.rate_begin(state, plan, spent, 0, now);
  state.entries := case when spent > 0 then array[now + plan.period, spent, 0] else '{}' end;
  return state;
end $$;

-- Adds a lease that expires last. Units of one that is in flight are added to it.
create function v.concurrency_charge(
  state v.state, plan v.plan, units float8, lease float8, now float8
) returns v.state language plpgsql stable as $$
declare
  known constant float8 := v.lease_units(state, lease);
begin
  state.used := state.used + units;
  state.since := greatest(state.since, now);
  if known is not null then
    units := units + known;
    state := v.without_lease(state, lease);
  end if;
  state.entries := state.entries || array[state.since + plan.period, units, lease];
  return state;
end $$;

-- Releases a lease, and returns null where it is not in flight with these units.
create function v.release(state v.state, lease float8, units float8) returns v.state
language plpgsql stable as $$
begin
  if v.lease_units(state, lease) is distinct from units then return null; end if;
  state.used := state.used - units;
  return v.without_lease(state, lease);
end $$;

-- Lets a lease last for its whole time again, and returns null where it is not in flight with these units.
create function v.renew(state v.state, plan v.plan, lease float8, units float8, now float8)
returns v.state language plpgsql stable as $$
declare
  released constant v.state := v.release(state, lease, units);
begin
  if released.used is null then return null; end if;
  return v.concurrency_charge(released, plan, units, lease, now);
end $$;

-- Leases are released, not settled.
create function v.concurrency_settle(
  state v.state, plan v.plan, reserved float8, really float8, now float8
) returns v.state language sql immutable as $$ select state $$;

-- All leases stay in flight, but for no longer than one that is taken now.
create function v.concurrency_inherit(
  state v.state, advanced v.state, old v.plan, plan v.plan, now float8
) returns v.state language plpgsql immutable as $$
begin
  advanced.since := greatest(advanced.since, now);
  advanced.entries := v.earlier_entries(advanced.entries, 3, 0, advanced.since + plan.period);
  return advanced;
end $$;

-- The older leases that count: expiry, units, id, and so on.
create function v.concurrency_older_entries(state v.state) returns float8[]
language sql stable as $$
  select array_agg(number order by lease.instant, lease.id, place)
  from spillway.entries as lease
  cross join lateral unnest(array[lease.instant, lease.units, lease.id])
    with ordinality as numbers(number, place)
  where lease.list = (state.older).list and lease.instant > (state.older).past
    and ((state.older).removed is null or lease.id <> all ((state.older).removed)) $$;

-- Moves the oldest leases of a row out.
create function v.concurrency_move_out(older spillway.older, moved float8[]) returns spillway.older
language plpgsql as $$
begin
  if older.list is null then older := row(gen_random_uuid(), 0, 0, null)::spillway.older; end if;
  delete from spillway.entries
  where ctid = any (array(select place from v.entries_between(older.list, '-Infinity', older.past)));
  insert into spillway.entries (list, instant, units, id)
  select older.list, moved[n], moved[n + 1], moved[n + 2]
  from generate_series(1, cardinality(moved), 3) as n;
  older.last := moved[cardinality(moved) - 2];
  return older;
end $$;

-- Those in the row; of the older ones those that free units between two counts of units, and those that a
-- request names. What frees units before is one lease that nobody holds.
create function v.concurrency_shown(state v.state, plan v.plan, needs float8[], leases float8[])
returns float8[] language plpgsql stable as $$
declare
  older constant spillway.older := state.older;
  low constant float8 := state.used - plan.capacity_ticks + needs[1];
  high constant float8 := state.used - plan.capacity_ticks + needs[2];
  total float8;
  between_ids float8[];
  before float8;
  expiry float8;
  shown float8[];
begin
  if older.list is null then return state.entries; end if;
  if high > 0 then
    total := state.used - (select coalesce(sum(units), 0) from v.as_leases(state.entries));
    select array_agg(id order by upto), min(upto - units), min(instant)
    into between_ids, before, expiry
    from v.leases_between(older, total, low, high);
    if before is null then
      before := total;
      expiry := older.last;
    end if;
    before := before - (
      select coalesce(sum(units), 0) from v.entries_with(older.list, leases)
      where instant > older.past
        and (between_ids is null or (instant, id) < (expiry, between_ids[1])));
  end if;
  select array_agg(number order by lease.instant, lease.id, place) into shown
  from (
    select instant, units, id from v.entries_with(older.list, leases || between_ids)
    where instant > older.past
    union all select expiry, before, -1 where before > 0
  ) as lease
  cross join lateral unnest(array[lease.instant, lease.units, lease.id])
    with ordinality as numbers(number, place);
  return shown || state.entries;
end $$;

-- The older leases with whose expiry between `low` and `high` units are free, and the units free by then.
-- `total` is the sum of all older units. They are added up from the end that is nearer.
create function v.leases_between(older spillway.older, total float8, low float8, high float8)
returns table (id float8, instant float8, units float8, upto float8) language plpgsql stable
set enable_sort = off set jit = off as $$
declare
  -- A lease has a unit or more.
  most constant int := least(greatest(0, high - greatest(0, low)) + 1, 1e9);
  passed record;
begin
  if low > total then return; end if;
  if low <= total / 2 then
    passed := v.oldest_leases(older, low - 1);
    return query select * from (
      select lease.id, lease.instant, lease.units, passed.sum
        + sum(lease.units) over (order by lease.instant, lease.id rows unbounded preceding) as upto
      from spillway.entries as lease
      where lease.list = older.list and lease.instant > older.past and lease.instant >= passed.until
    ) as lease
    where lease.upto >= low and lease.upto - lease.units < high
    limit most;
  else
    passed := v.newest_leases(older, total - high);
    return query select * from (
      select lease.id, lease.instant, lease.units, total - passed.sum + lease.units
        - sum(lease.units) over (order by lease.instant desc, lease.id desc rows unbounded preceding) as upto
      from spillway.entries as lease
      where lease.list = older.list and lease.instant > older.past and lease.instant <= passed.down_to
    ) as lease
    where lease.upto >= low and lease.upto - lease.units < high
    limit most;
  end if;
end $$;

-- The sum of units of some of the oldest leases, `most` at most: of those that expire before `until`. To add up many
-- at once costs a third of seeing the sum after each, so half of those that may still fit are tried, again and again.
create function v.oldest_leases(older spillway.older, most float8, out sum float8, out until float8)
language plpgsql stable set enable_sort = off set jit = off as $$
declare
  step int := floor(most / 2);
  next float8;
  added float8;
begin
  sum := 0;
  until := '-Infinity';
  while step >= 64 loop
    next := (
      select instant from spillway.entries
      where list = older.list and instant > older.past and instant >= until
      order by instant, id offset step limit 1);
    added := (
      select sum(units) from (
        select units from spillway.entries
        where list = older.list and instant > older.past and instant >= until and instant < next
        order by instant, id) as lease);
    if sum + added <= most then
      sum := sum + added;
      until := next;
      step := floor((most - sum) / 2);
    else
      step := step / 2;
    end if;
  end loop;
end $$;

-- The same of some of the newest leases: of those that expire after `down_to`.
create function v.newest_leases(older spillway.older, most float8, out sum float8, out down_to float8)
language plpgsql stable set enable_sort = off set jit = off as $$
declare
  step int := floor(most / 2);
  next float8;
  added float8;
begin
  sum := 0;
  down_to := 'Infinity';
  while step >= 64 loop
    next := (
      select instant from spillway.entries
      where list = older.list and instant > older.past and instant <= down_to
      order by instant desc, id desc offset step limit 1);
    added := (
      select sum(units) from (
        select units from spillway.entries
        where list = older.list and instant <= down_to and instant > next
        order by instant desc, id desc) as lease);
    if sum + added <= most then
      sum := sum + added;
      down_to := next;
      step := floor((most - sum) / 2);
    else
      step := step / 2;
    end if;
  end loop;
end $$;

create function v.as_leases(entries float8[])
returns table (instant float8, units float8, id float8) language sql immutable as $$
  select entries[n], entries[n + 1], entries[n + 2]
  from generate_series(1, cardinality(entries), 3) as n $$;
