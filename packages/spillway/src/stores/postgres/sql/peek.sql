-- Returns the states that `execute` would find. Nothing is locked and nothing changes, unless a limit or the
-- clock has changed: a state that is migrated at this instant is written where that is possible.
create function v.peek(
  ids text[], definitions text[], owners int[], extras float8[], at float8, lock_timeout int
) returns text language plpgsql
set plan_cache_mode = force_generic_plan set search_path = pg_catalog, pg_temp as $$
declare
  now constant float8 := v.clock(at);
  may_write constant boolean := current_setting('transaction_read_only') = 'off';
  plans constant v.plan[] := v.plans(definitions, owners, extras);
  rows constant record := v.read(ids);
  was constant text[] := rows.definitions;
  stored constant v.state[] := rows.states;
  state v.state;
  snapshots text[];
begin
  for b in 1..cardinality(ids) loop
    state := stored[b];
    if was[b] <> (plans[b]).definition or state.since > now then
      if may_write and was[b] <> '' then
        return v.execute(ids, definitions, owners, extras, '{}', at, lock_timeout);
      end if;
      state := v.reconcile(state, was[b], plans[b], now);
    end if;
    state := v.advance(state, plans[b], now);
    snapshots[b] := v.snapshot(state, plans[b], extras[b]);
  end loop;
  return now::bigint || ' 0 ' || array_to_string(snapshots, ';');
end $$;
