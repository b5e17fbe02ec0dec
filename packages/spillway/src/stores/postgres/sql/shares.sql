-- The steps on shares of states that are advanced: what their holders say of them, and what is lent.

-- The most shares of a key that are out at once: then nothing is lent, and asks go to the store.
create function v.most_shares() returns int language sql immutable as $$ select 256 $$;

-- How many counts of `used` a unit is.
create function v.counts_per_unit(plan v.plan) returns float8 language sql immutable as $$
  select plan.ticks_per_unit / v.resolution(plan) $$;

-- Notes what a holder says of its shares: an id and units for each of `kept` that it goes on holding, then for
-- each that it gives back. What is left only ever becomes less, and a share comes back once.
create function v.report(state v.state, plan v.plan, said float8[], kept float8) returns v.state
language plpgsql immutable as $$
declare
  counts constant float8 := v.counts_per_unit(plan);
  place int;
  known float8;
  unused float8;
begin
  for at in 1..cardinality(said) by 2 loop
    place := v.lease_units_at(state.entries, said[at]);
    continue when place is null;
    known := state.entries[place];
    unused := least(known, said[at + 1]);
    if at > 2 * kept then state.used := state.used - unused * counts; end if;
    if at > 2 * kept or unused = 0 then
      state.entries := state.entries[:place - 2] || state.entries[place + 2:];
    else
      state.entries[place] := unused;
    end if;
    -- What a holder has used may be settled from now on.
    state.unsettled := state.unsettled + (known - unused) * counts;
  end loop;
  return state;
end $$;

-- The most units that may be lent: half of those left, and never more than half of the capacity at once.
create function v.lendable(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when coalesce(cardinality(state.entries), 0) >= 3 * v.most_shares() then 0
    else least(ceil(floor((plan.capacity_ticks - v.spent(state, plan, now)) / plan.ticks_per_unit) / 2),
      floor(plan.capacity_ticks / plan.ticks_per_unit / 2) - v.units_lent(state)) end $$;

-- Lends units; those of an id that is listed are added to it.
create function v.lend(state v.state, plan v.plan, id float8, units float8, now float8) returns v.state
language plpgsql stable as $$
declare
  entries float8[] := state.entries;
  place constant int := v.lease_units_at(entries, id);
  -- Where `share` has become shorter, the list is kept in order: later is safe.
  ends constant float8 := greatest(v.lent_until(state, plan, now), entries[cardinality(entries) - 2]);
  listed constant float8 := coalesce(entries[place], 0) + units;
begin
  if place is not null then entries := entries[:place - 2] || entries[place + 2:]; end if;
  state.entries := entries || array[ends, listed, id];
  state.used := state.used + units * v.counts_per_unit(plan);
  if state.others is not null then
    state.others := v.share(state.others, plan, v.spent(state, plan, now), units, 0, now);
  end if;
  return state;
end $$;

-- Carries out a draw: notes what a holder says of its shares, takes what is asked for, and lends. Where the ask
-- is refused nothing is lent. `step` has the fields of store/port/protocol.ts.
create function v.draw(
  inout state v.state, plan v.plan, step float8[], said float8[], now float8, out charged bigint
) language plpgsql stable as $$
declare
  units float8;
begin
  charged := 0;
  if v.lends_units(plan) then state := v.report(state, plan, said, step[:DRAW_LEFT]); end if;
  if v.admits(state, plan, step[:DRAW_COUNT], step[:DRAW_RESERVE], 0, now) then
    if step[:DRAW_COUNT] > 0 then state := v.take(state, plan, step[:DRAW_COUNT], 0, now); end if;
    units := case when v.lends_units(plan) then greatest(0, least(step[:DRAW_WANT], v.lendable(state, plan, now)))
      else 0 end;
    if units > 0 then state := v.lend(state, plan, step[:DRAW_ID], units, now); end if;
    charged := 1 + units;
  end if;
  -- A state that has become fresh need not wait for a clock that is behind.
  if state.since > now then state := v.rewind_or_wait(state, plan, now); end if;
end $$;

-- Forgets what was used, but for shares that are out: their holders go on using them.
create function v.only_lent(state v.state, plan v.plan) returns v.state language plpgsql immutable as $$
begin
  state.used := v.units_lent(state) * v.counts_per_unit(plan);
  state.previous := 0;
  state.unsettled := 0;
  return state;
end $$;

-- Whether units of a state are lent.
create function v.is_lent(state v.state, plan v.plan) returns boolean language sql immutable as $$
  select v.lends_units(plan) and coalesce(cardinality(state.entries), 0) > 0 $$;

-- Those under other definitions of which units are lent, without what was used; and an override, which a reset does
-- not end.
create function v.lent_others(others spillway.other[], now float8) returns spillway.other[]
language plpgsql stable as $$
declare
  kept spillway.other[];
  other spillway.other;
  plan v.plan;
  state v.state;
begin
  if v.is_marked(others) then kept := others[:1]; end if;
  foreach other in array others loop
    plan := v.plan_from(other.definition);
    continue when other.until <= now or not v.lends_units(plan);
    state := v.state_of(other);
    state := v.advance(state, plan, now);
    if v.is_lent(state, plan) then
      state := v.only_lent(state, plan);
      kept := array_append(kept, v.as_other(state, other.definition, other.until));
    end if;
  end loop;
  return kept;
end $$;
