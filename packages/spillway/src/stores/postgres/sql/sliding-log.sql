-- Sliding log: every admitted ask, remembered for one period: instant, units, and so on, from
-- the oldest. `used` of its state is the sum of all units.

-- How many entries have been over since an instant, and their units.
create function spillway.log_over(
  log double precision[], instant double precision, out entries int, out units double precision
) language plpgsql immutable parallel safe as $$
begin
  entries := 0;
  units := 0;
  while log[2 * entries + 1] <= instant loop
    entries := entries + 1;
    units := units + log[2 * entries];
  end loop;
end
$$;

-- With units added at an instant that is not before the newest entry's.
create function spillway.log_add(
  log double precision[], instant double precision, units double precision
) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  last int := cardinality(log);
begin
  if log[last - 1] = instant then
    log[last] := log[last] + units;
    return log;
  end if;
  return log || array[instant, units];
end
$$;

-- With units taken off the newest entries.
create function spillway.log_take_back(
  log double precision[], units double precision
) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  rest double precision := units;
  last int := cardinality(log);
begin
  while rest > 0 and last > 0 loop
    if log[last] > rest then
      log[last] := log[last] - rest;
      rest := 0;
    else
      rest := rest - log[last];
      last := last - 2;
    end if;
  end loop;
  return log[:last];
end
$$;

-- With all instants moved back.
create function spillway.log_rewind(
  log double precision[], ms double precision
) returns double precision[] language sql immutable parallel safe as $$
  select array_agg(case when place % 2 = 1 then number - ms else number end order by place)
  from unnest(log) with ordinality as numbers(number, place)
$$;

-- As much of it as an answer depends on: from the oldest so many entries that `units` are in them, and
-- the newest.
create function spillway.log_shown(
  log double precision[], units double precision
) returns double precision[] language plpgsql immutable parallel safe as $$
declare
  shown int := 0;
  seen double precision := 0;
begin
  while seen < units and shown < cardinality(log) loop
    shown := shown + 2;
    seen := seen + log[shown];
  end loop;
  if shown >= cardinality(log) - 2 then return log; end if;
  return log[:shown] || log[cardinality(log) - 1:];
end
$$;

-- The same, as a reply tells it after a state.
create function spillway.log_told(
  log double precision[], units double precision
) returns text language sql immutable as $$
  select case when cardinality(log) > 0
    then ':' || array_to_string(spillway.log_shown(log, units)::bigint[], ',') else '' end
$$;
