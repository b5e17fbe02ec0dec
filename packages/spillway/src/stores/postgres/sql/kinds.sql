-- The functions that every kind has. Here, and nowhere else, one is chosen by the kind: `npm run embed`
-- writes a `case` in place of :BY_KIND. A kind's own function is named after the kind, as in
-- `fixed_window_advance`. A kind that has none uses that of rates.sql.

-- The state as it is at `now`. All functions below take a state that is advanced.
create function v.advance(state v.state, plan v.plan, now float8) returns v.state
language sql immutable as $$ select :BY_KIND(advance(state, plan, now)) $$;

create function v.spent(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select :BY_KIND(spent(state, plan, now)) $$;

create function v.resolution(plan v.plan) returns float8
language sql immutable as $$ select :BY_KIND(resolution(plan)) $$;

-- The instant from which on nothing is used; infinite where nothing comes back.
create function v.fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select :BY_KIND(fresh_at(state, plan, now)) $$;

create function v.charge(state v.state, plan v.plan, units float8, lease float8, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(charge(state, plan, units, lease, now))
$$;

create function v.settle(state v.state, plan v.plan, reserved float8, really float8, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(settle(state, plan, reserved, really, now))
$$;

create function v.begin(state v.state, plan v.plan, spent float8, unsettled float8, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(begin(state, plan, spent, unsettled, now))
$$;

create function v.block(state v.state, plan v.plan, ms float8, now float8) returns v.state
language sql immutable as $$ select :BY_KIND(block(state, plan, ms, now)) $$;

create function v.inherit(state v.state, advanced v.state, old v.plan, plan v.plan, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(inherit(state, advanced, old, plan, now))
$$;

create function v.move_back(state v.state, plan v.plan, ms float8) returns v.state
language sql immutable as $$ select :BY_KIND(move_back(state, ms)) $$;

create function v.shown(state v.state, plan v.plan, units float8) returns float8[]
language sql immutable as $$ select :BY_KIND(shown(state, plan, units)) $$;
