-- Executes the steps of a request in order, and returns the states from before. The caller computes its
-- answers from these with the same arithmetic.
--
--   ids           of the budgets, no two the same
--   definitions   of their limits: see postgres/statements.ts
--   owners        for each budget the number of its definition
--   anchors       for each budget with windows an instant at which one begins; else 0
--   needs         what of long lists the reply has to show, four numbers for each budget: see
--                 store/port/list-needs.ts; empty where no limit has a list
--   steps         numbers, with budgets by their position among the ids: see store/port/protocol.ts
--   at            the time in milliseconds since 1970; null for the server's clock
--   lock_timeout  the most milliseconds to wait for a row that is locked by another transaction; null to
--                 wait as long as the transaction does
--   xact          which transaction of the caller's it belongs to: see transactions.sql
--
-- Returns "now charged state;state;...": the time, how many budgets were charged, and each state: used,
-- since, unsettled unless it equals used, previous and blocked_until unless they are 0; after a ":" as many
-- of its entries as the answers depend on. Under an override follow, each after a ":", its end, what else is kept then,
-- and its definition: see overrides.sql. In a transaction of the caller's " id" of that follows; in another one
-- than `xact` nothing is done, and the reply is "over".
create function v.execute(
  ids text[], definitions text[], owners int[], anchors float8[], needs float8[], steps float8[], at float8,
  lock_timeout int, xact text
) returns text language plpgsql
-- A plan for each call would cost more than the call. One that was made while a table was small must not read all
-- of it when it is large. Nothing of the caller's search path is used.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
declare
  plans v.plan[] := v.plans(definitions, owners, anchors);
  setting constant text := v.wait_at_most(lock_timeout);
  reply_end constant text := v.reply_end(xact);
  now float8;
  rows record;
  was text;
  stored v.state[];
  states v.state[];
  need float8[];
  leases float8[];
  snapshots text[];
  written v.state[] := array_fill(null::v.state, array[cardinality(ids)]);
  has_changed boolean := false;
  executed record;
begin
  if reply_end is null then return 'over'; end if;
  perform v.lock(ids);
  -- Read once all rows are locked: no state is of a later instant, unless a clock went back.
  now := v.clock(at);
  rows := v.read(ids);
  stored := rows.states;
  for b in 1..cardinality(ids) loop
    was := rows.definitions[b];
    if (stored[b]).others is not null then plans[b] := v.applying(stored[b], was, plans[b], now); end if;
    if was <> (plans[b]).definition or (stored[b]).since > now then
      stored[b] := v.reconcile(stored[b], was, plans[b], now);
      -- Written even without a step: what is migrated at this instant must not be migrated again.
      has_changed := has_changed or was <> '';
      written[b] := case when was <> '' then stored[b] end;
    end if;
    states[b] := v.advance(stored[b], plans[b], now);
    if (states[b]).entries is not null then
      need := needs[4 * b - 3:4 * b];
      leases := case when ((states[b]).older).list is not null then v.named_leases(steps, b) end;
    end if;
    snapshots[b] := v.snapshot(states[b], plans[b], need, leases);
    if (states[b]).others is not null then
      snapshots[b] := v.override_snapshot(snapshots[b], states[b], plans[b], definitions[owners[b]], now);
    end if;
  end loop;
  executed := v.execute_steps(plans, stored, states, written, has_changed, steps, now);
  if executed.has_changed then
    perform v.write(ids, plans, rows.states, executed.written, executed.states, now);
  end if;
  return now::bigint || ' ' || executed.charged || ' ' || array_to_string(snapshots, ';') || reply_end;
end $$;
