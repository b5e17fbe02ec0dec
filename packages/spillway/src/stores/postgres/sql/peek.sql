-- Returns the states that `execute` would find. Nothing is locked and nothing changes, unless a limit or the
-- clock has changed: a state that is migrated at this instant is written where that is possible. Stable, so
-- that a row and its older entries are read as they were at one instant.
create function v.peek(
  ids text[], definitions text[], owners int[], anchors float8[], needs float8[], at float8, lock_timeout int,
  xact text
) returns text language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
declare
  reply_end constant text := v.read_reply_end(xact);
  now constant float8 := v.clock(at);
  may_write constant boolean := current_setting('transaction_read_only') = 'off';
  plans v.plan[] := v.plans(definitions, owners, anchors);
  rows constant record := v.read(ids);
  was constant text[] := rows.definitions;
  stored constant v.state[] := rows.states;
  state v.state;
  need float8[];
  snapshots text[];
begin
  if reply_end is null then return 'over'; end if;
  for b in 1..cardinality(ids) loop
    state := stored[b];
    if state.others is not null then plans[b] := v.applying(state, was[b], plans[b], now); end if;
    if was[b] <> (plans[b]).definition or state.since > now then
      if may_write and was[b] <> '' then
        return v.execute(ids, definitions, owners, anchors, needs, '{}', at, lock_timeout, xact);
      end if;
      state := v.reconcile(state, was[b], plans[b], now);
    end if;
    state := v.advance(state, plans[b], now);
    if state.entries is not null then need := needs[4 * b - 3:4 * b]; end if;
    snapshots[b] := v.snapshot(state, plans[b], need, null);
    if state.others is not null then
      snapshots[b] := v.override_snapshot(snapshots[b], state, plans[b], definitions[owners[b]], now);
    end if;
  end loop;
  return now::bigint || ' 0 ' || array_to_string(snapshots, ';') || reply_end;
end $$;
