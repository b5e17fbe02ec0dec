-- Puts a definition in place of that of a budget's limit for `ms`, or ends that with 0. Replaces an earlier one.
--
-- `definitions` are the limit's and the one in its place, `anchors` instants at which a window begins under each. The
-- rest is as for `execute`, and so is the reply, but for the state: no answer depends on it, so it is a fresh one.
create function v.override(
  ids text[], definitions text[], anchors float8[], ms float8, at float8, lock_timeout int, xact text
) returns text language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
declare
  plans constant v.plan[] := v.plans(definitions, '{1,2}', anchors);
  setting constant text := v.wait_at_most(lock_timeout);
  reply_end constant text := v.reply_end(xact);
  now float8;
  rows record;
  state v.state;
  plan v.plan;
begin
  if reply_end is null then return 'over'; end if;
  perform v.lock(ids);
  now := v.clock(at);
  rows := v.read(ids);
  state := rows.states[1];
  plan := v.applying(state, rows.definitions[1], plans[1], now);
  state := v.reconcile(state, rows.definitions[1], plan, now);
  state.others := v.without_mark(state.others);
  if plan.definition <> (plans[1]).definition then
    state := v.switch_to(state, plan.definition, plans[1], now);
  end if;
  plan := plans[1];
  if ms > 0 then
    plan := plans[2];
    state := v.put_in_place(state, plans[1], plan, now + ms, now);
    plan.anchor := state.since;
  end if;
  if state.since > now then state := v.rewind_or_wait(state, plan, now); end if;
  perform v.write(ids, array[plan], rows.states, array[state], array[v.advance(state, plan, now)], now);
  return now::bigint || ' 0 0,' || now::bigint || reply_end;
end $$;
