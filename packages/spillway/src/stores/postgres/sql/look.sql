-- What `take` would see of budgets. Nothing is locked and nothing changed, unless a limit or the clock
-- has: what is carried over for that is written where it may be.
create function spillway.look(
  ids text[], plans spillway.plan[], owners int[], extras double precision[], at double precision,
  patience int
) returns text language plpgsql
set plan_cache_mode = force_generic_plan set search_path = pg_catalog, pg_temp as $$
declare
  now constant double precision := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
  may_write constant boolean := current_setting('transaction_read_only') = 'off';
  held record;
  plan spillway.plan;
  state spillway.state;
  tracked spillway.tracked;
  states text[];
  carried record;
  setting text;
begin
  for held in
    select asked.owner, asked.extra, coalesce(budget.plan, '') as definition,
      row(coalesce(budget.used, 0), coalesce(budget.since, 0), coalesce(budget.previous, 0),
        coalesce(budget.unsettled, 0), coalesce(budget.blocked_until, 0),
        budget.log)::spillway.state as state, budget.others
    from unnest(ids, owners, extras) with ordinality as asked(id, owner, extra, place)
    left join lateral (select * from spillway.budgets where budgets.id = asked.id) as budget on true
    order by asked.place
  loop
    plan := plans[held.owner];
    plan.anchor := held.extra;
    state := held.state;
    if may_write and held.definition <> ''
      and (held.definition <> plan.definition or state.since > now) then
      if patience is not null then setting := set_config('lock_timeout', patience::text, true); end if;
      carried := spillway.carry_out(ids, plans, owners, extras, '{}', at);
      return carried.instant::bigint || ' 0 ' || array_to_string(carried.states, ';');
    end if;
    tracked := spillway.followed(state, held.definition, plan, held.others, now);
    state := spillway.present(tracked.state, plan, now);
    states := states || (spillway.told(
      state.used, state.since, state.previous, state.unsettled, state.blocked_until, now)
      || case plan.kind
        when 5 then spillway.log_told(state.log, state.used + held.extra - plan."full")
        when 6 then spillway.leases_told(state.log) else '' end);
  end loop;
  if cardinality(states) <> cardinality(ids) then
    raise serialization_failure using message = 'a row was swept since the transaction began';
  end if;
  return now::bigint || ' 0 ' || array_to_string(states, ';');
end
$$;
