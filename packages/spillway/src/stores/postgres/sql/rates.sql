-- Every kind of limit, unless the file of the kind has a function of its own: see kinds.sql.

-- Whether an ask is admitted: `needed` ticks beside those spent.
create function v.fits(
  blocked_until float8, spent float8, needed float8, available float8, now float8
) returns boolean language sql immutable as $$
  select blocked_until <= now and spent + needed <= available $$;

-- Ticks used, of a state that is advanced to `now`.
create function v.rate_spent(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select state.used $$;

-- Ticks that 1 in `used`, `previous` and `unsettled` stands for.
create function v.rate_resolution(plan v.plan) returns float8
language sql immutable as $$ select 1::float8 $$;

-- The most that `used` can be, so that all that follows from it is exact.
create function v.rate_most_used(state v.state, plan v.plan) returns float8
language sql immutable as $$ select v.exact() $$;

-- Begins anew at `now`, with ticks already used, some of which can still be settled. A block stays.
create function v.rate_begin(state v.state, plan v.plan, spent float8, unsettled float8, now float8)
returns v.state language plpgsql immutable as $$
begin
  state.used := ceil(spent / v.resolution(plan));
  state.since := v.window_start(plan, now);
  state.previous := 0;
  state.unsettled := floor(unsettled / v.resolution(plan));
  state.entries := null;
  state.older := null;
  return state;
end $$;

-- Takes units, for a concurrency limit as a lease.
create function v.rate_charge(state v.state, plan v.plan, units float8, lease float8, now float8)
returns v.state language plpgsql immutable as $$
declare
  taken constant float8 := units * (plan.ticks_per_unit / v.resolution(plan));
begin
  state.used := state.used + taken;
  state.unsettled := state.unsettled + taken;
  return state;
end $$;

-- Replaces an estimate by the true number. Upward there is no bound but exactness. Downward no more comes
-- back than was taken, is still used and was not settled before.
create function v.rate_settle(state v.state, plan v.plan, reserved float8, really float8, now float8)
returns v.state language plpgsql immutable as $$
declare
  scale constant float8 := plan.ticks_per_unit / v.resolution(plan);
  change constant float8 := (really - reserved) * scale;
  used constant float8 := case when change < 0 then state.used - least(-change, state.unsettled)
    else least(v.exact(), state.used + change) end;
begin
  state.unsettled := least(greatest(0, state.unsettled - reserved * scale), used);
  state.used := least(used, greatest(state.used, v.most_used(state, plan)));
  return state;
end $$;

-- The entries that a reply needs: see execute.sql.
create function v.rate_shown(state v.state, plan v.plan, needs float8[], leases float8[])
returns float8[] language sql immutable as $$ select state.entries $$;
