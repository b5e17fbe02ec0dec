-- Token bucket: `refill_per_ms` ticks come back each millisecond. `used` is what is missing.

-- Ticks missing at `now`.
create function v.ticks_missing(used float8, since float8, refill_per_ms float8, now float8)
returns float8 language sql immutable as $$
  select greatest(0, used - greatest(0, now - since) * refill_per_ms) $$;

-- The instant at which no tick is missing, where some are at `since`; infinite without a refill.
create function v.refilled_at(used float8, since float8, refill_per_ms float8) returns float8
language sql immutable as $$
  select since + coalesce(ceil(used / nullif(refill_per_ms, 0)), 'Infinity') $$;

create function v.token_bucket_advance(state v.state, plan v.plan, now float8) returns v.state
language plpgsql immutable as $$
begin
  state.used := v.ticks_missing(state.used, state.since, plan.refill_per_ms, now);
  state.since := greatest(state.since, now);
  state.unsettled := least(state.unsettled, state.used);
  return state;
end $$;

create function v.token_bucket_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$
  select case when state.used = 0 then now
    else v.refilled_at(state.used, state.since, plan.refill_per_ms) end $$;
