-- 2^52: the sum of two numbers up to this is exact.
create function v.exact() returns float8 language sql immutable as $$ select 4503599627370496::float8 $$;

-- The time in milliseconds since 1970: the caller's, or the server's.
create function v.clock(at float8) returns float8 language sql volatile as $$
  select coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000)) $$;

-- Reads a definition. The anchor depends on the budget, and how long shares last on the request: left out.
create function v.plan_from(definition text) returns v.plan language plpgsql immutable as $$
declare
  fields constant text[] := string_to_array(definition, ':', '-');
begin
  return row(definition, fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7],
    fields[8], fields[9], null, null)::v.plan;
end $$;

-- The plan of each budget, with its anchor. Behind the definition of a limit of which units are lent comes "/"
-- and for how long.
create function v.plans(definitions text[], owners int[], anchors float8[]) returns v.plan[]
language plpgsql immutable as $$
declare
  distinct_plans v.plan[];
  plans v.plan[];
  plan v.plan;
begin
  for n in 1..cardinality(definitions) loop
    plan := v.plan_from(split_part(definitions[n], '/', 1));
    plan.share := nullif(split_part(definitions[n], '/', 2), '');
    distinct_plans[n] := plan;
  end loop;
  for n in 1..cardinality(owners) loop
    plan := distinct_plans[owners[n]];
    plan.anchor := anchors[n];
    plans[n] := plan;
  end loop;
  return plans;
end $$;

-- The start of the window that contains an instant, where some window starts at the anchor.
create function v.window_start(plan v.plan, at float8) returns float8 language sql immutable as $$
  select case when plan.window_alignment = 1 then at else at -
    (((at - plan.anchor)::bigint % plan.window_alignment::bigint) + plan.window_alignment::bigint)
      % plan.window_alignment::bigint end $$;

-- How many windows have ended since the one of the state; 0 while it lasts.
create function v.windows_gone(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when now - state.since < plan.period then 0 else floor((now - state.since) / plan.period) end $$;
