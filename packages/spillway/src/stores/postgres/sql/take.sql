-- Carries out the calls of one request, in order, each of them wholly or not at all, and answers with
-- the states as they were before. What the answers follow from these, the caller works out with the
-- same arithmetic.
--
--   ids       of the budgets, no two the same
--   plans     the definitions of their limits
--   owners    for each budget the number of its plan
--   extras    for each budget, where its kind has windows, an instant at which one begins; for a sliding
--             log, how many units might be asked for; infinity to show it all
--   steps     numbers, of which a budget is its place among the ids
--             (store/port/protocol.ts)
--   at        the time to go by, in milliseconds since 1970; null for this server's own clock
--   patience  the most milliseconds to wait for a row that somebody else has locked; null to wait as
--             long as the transaction does
--
-- Answers "now charged state;state;...": the time, how many budgets were charged, and of each its used,
-- now - since and unsettled, its previous and blocked until where they are not 0, and after a ":" as much
-- of its log as the answers depend on: instant, units, and so on; or all of its leases: until, units, id,
-- and so on
create function spillway.take(
  ids text[], plans spillway.plan[], owners int[], extras double precision[],
  steps double precision[], at double precision, patience int
) returns text language plpgsql
-- A plan made for each call would cost more than the call. What is in the caller's search path is not to
-- be taken for an operator of ours.
set plan_cache_mode = force_generic_plan set search_path = pg_catalog, pg_temp as $$
declare
  carried record;
  setting text;
begin
  if patience is not null then setting := set_config('lock_timeout', patience::text, true); end if;
  carried := spillway.carry_out(ids, plans, owners, extras, steps, at);
  return carried.instant::bigint || ' ' || carried.charged || ' ' || array_to_string(carried.states, ';');
end
$$;
