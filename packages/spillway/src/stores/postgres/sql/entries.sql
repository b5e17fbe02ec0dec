-- Lists of entries of `width` numbers each: first an instant, then units. Instants ascend.

-- The expired entries: how many numbers they are, and the sum of their units.
create function v.expired(entries float8[], width int, at float8, out numbers int, out units float8)
language plpgsql immutable as $$
begin
  numbers := 0;
  units := 0;
  while entries[numbers + 1] <= at loop
    units := units + entries[numbers + 2];
    numbers := numbers + width;
  end loop;
end $$;

-- The state without its expired entries.
create function v.without_expired(state v.state, width int, at float8) returns v.state
language plpgsql immutable as $$
declare
  expired record;
begin
  -- Most of the time there are none.
  if state.entries[1] <= at then
    expired := v.expired(state.entries, width, at);
    state.used := state.used - expired.units;
    state.entries := state.entries[expired.numbers + 1:];
    state.unsettled := least(state.unsettled, state.used);
  end if;
  return state;
end $$;

-- Earlier instants: moved back by `ms`, then capped.
create function v.earlier_entries(entries float8[], width int, ms float8, latest float8)
returns float8[] language sql immutable as $$
  select array(
    select case when place % width = 1 then least(number - ms, latest) else number end
    from unnest(entries) with ordinality as numbers(number, place) order by place) $$;
