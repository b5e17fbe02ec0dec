-- Leaky bucket: counts as a token bucket does.

create function v.leaky_bucket_advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$ select v.token_bucket_advance(state, plan, now) $$;

create function v.leaky_bucket_fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select v.token_bucket_fresh_at(state, plan, now) $$;

-- Nothing comes back: starts that were promised can't move.
create function v.leaky_bucket_settle(
  state v.state, plan v.plan, reserved float8, really float8, now float8
) returns v.state language sql immutable as $$
  select v.rate_settle(state, plan, reserved, greatest(reserved, really), now) $$;
