-- Concurrency: units are in flight, each held by a lease until it is released or expires. An entry for each
-- lease: expiry, units, id. `used` is the sum of all units, `since` the latest instant at which a lease was
-- taken or renewed.

-- Whether a limit lends leases.
create function v.lends(plan v.plan) returns boolean
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

-- The entries without the one whose units are at a position.
create function v.without_lease(entries float8[], place int) returns float8[]
language sql immutable as $$ select entries[:place - 2] || entries[place + 2:] $$;

create function v.concurrency_width() returns int language sql immutable as $$ select 3 $$;

create function v.concurrency_advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$ select v.without_expired(state, 3, greatest(state.since, now)) $$;

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
) returns v.state language plpgsql immutable as $$
declare
  known constant int := v.lease_units_at(state.entries, lease);
begin
  state.used := state.used + units;
  state.since := greatest(state.since, now);
  if known is not null then
    units := units + state.entries[known];
    state.entries := v.without_lease(state.entries, known);
  end if;
  state.entries := state.entries || array[state.since + plan.period, units, lease];
  return state;
end $$;

-- Releases a lease, and returns null where it is not in flight with these units.
create function v.release(state v.state, lease float8, units float8) returns v.state
language plpgsql immutable as $$
declare
  known constant int := v.lease_units_at(state.entries, lease);
begin
  if state.entries[known] is distinct from units then return null; end if;
  state.used := state.used - units;
  state.entries := v.without_lease(state.entries, known);
  return state;
end $$;

-- Lets a lease last for its whole time again, and returns null where it is not in flight with these units.
create function v.renew(state v.state, plan v.plan, lease float8, units float8, now float8)
returns v.state language plpgsql immutable as $$
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
