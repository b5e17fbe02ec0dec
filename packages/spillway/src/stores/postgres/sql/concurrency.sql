-- Concurrency: units are in flight, each held by a lease, until that is given back or its time is over.
-- Three numbers a lease: until when it lasts, its units, its id, in the order in which they end. `used` of
-- their state is the sum of all units, `since` the latest instant at which one was taken or renewed.

-- How many are over at an instant, and their units.
create function spillway.leases_over(
  leases double precision[], instant double precision, out entries int, out units double precision
) language plpgsql immutable parallel safe as $$
begin
  entries := 0;
  units := 0;
  while leases[3 * entries + 1] <= instant loop
    entries := entries + 1;
    units := units + leases[3 * entries - 1];
  end loop;
end
$$;

-- The place of an id among the numbers; null where there is no such lease.
create function spillway.lease_place(leases double precision[], id double precision) returns int
language plpgsql immutable parallel safe as $$
declare
  place int := array_position(leases, id);
begin
  -- An instant and an amount can be the same number.
  while place % 3 <> 0 loop
    place := array_position(leases, id, place + 1);
  end loop;
  return place;
end
$$;

-- With one more, which ends no sooner than the others; to one that is there its units are added.
create function spillway.leases_add(
  leases double precision[], until double precision, units double precision, id double precision
) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  place constant int := spillway.lease_place(leases, id);
begin
  if place is null then return leases || array[until, units, id]; end if;
  return leases[:place - 3] || leases[place + 1:] || array[until, units + leases[place - 1], id];
end
$$;

-- Without one; null where it is not there, or holds other units.
create function spillway.leases_without(
  leases double precision[], id double precision, units double precision
) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  place constant int := spillway.lease_place(leases, id);
begin
  if leases[place - 1] = units then return leases[:place - 3] || leases[place + 1:]; end if;
  return null;
end
$$;

-- With none that lasts beyond an instant.
create function spillway.leases_shorten(
  leases double precision[], until double precision
) returns double precision[] language sql immutable parallel safe as $$
  select array(
    select case when place % 3 = 1 then least(number, until) else number end
    from unnest(leases) with ordinality as numbers(number, place) order by place)
$$;

-- With all instants moved back.
create function spillway.leases_rewind(
  leases double precision[], ms double precision
) returns double precision[] language sql immutable parallel safe as $$
  select array(
    select case when place % 3 = 1 then number - ms else number end
    from unnest(leases) with ordinality as numbers(number, place) order by place)
$$;

-- As a reply tells them after a state.
create function spillway.leases_told(leases double precision[]) returns text
language sql immutable as $$
  select case when cardinality(leases) > 0
    then ':' || array_to_string(leases::bigint[], ',') else '' end
$$;

-- A state that is as it is at `now`, once a lease is given back; the same where it is not in flight.
create function spillway.released(
  state spillway.state, id double precision, units double precision
) returns spillway.state language plpgsql immutable as $$
declare
  others constant double precision[] := spillway.leases_without(state.log, id, units);
begin
  if others is null then return state; end if;
  state.used := state.used - units;
  state.log := others;
  return state;
end
$$;

-- Once a lease lasts for its whole time again; the same where it is not in flight.
create function spillway.renewed(
  state spillway.state, id double precision, units double precision,
  period double precision, now double precision
) returns spillway.state language plpgsql immutable as $$
declare
  others constant double precision[] := spillway.leases_without(state.log, id, units);
begin
  if others is null then return state; end if;
  state.since := greatest(state.since, now);
  state.log := others || array[state.since + period, units, id];
  return state;
end
$$;
