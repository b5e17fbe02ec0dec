-- The functions that every kind has. Here, and nowhere else, one is chosen by the kind: `npm run embed`
-- writes a `case` in place of :BY_KIND. A kind's own function is named after the kind, as in
-- `fixed_window_advance`. A kind that has none uses that of rates.sql; one whose units are lent first that which all
-- such kinds have, and that of the kind without shares.

-- The state as it is at `now`. All functions below take a state that is advanced.
create function v.advance(state v.state, plan v.plan, now float8) returns v.state
language sql stable as $$ select :BY_KIND(advance(state, plan, now)) $$;

create function v.spent(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select :BY_KIND(spent(state, plan, now)) $$;

create function v.resolution(plan v.plan) returns float8
language sql immutable as $$ select :BY_KIND(resolution(plan)) $$;

create function v.most_used(state v.state, plan v.plan) returns float8
language sql immutable as $$ select :BY_KIND(most_used(state, plan)) $$;

-- The instant from which on nothing is used; infinite where nothing comes back.
create function v.fresh_at(state v.state, plan v.plan, now float8) returns float8
language sql stable as $$ select :BY_KIND(fresh_at(state, plan, now)) $$;

create function v.charge(state v.state, plan v.plan, units float8, lease float8, now float8)
returns v.state language sql stable as $$
  select :BY_KIND(charge(state, plan, units, lease, now)) $$;

create function v.settle(state v.state, plan v.plan, reserved float8, really float8, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(settle(state, plan, reserved, really, now)) $$;

create function v.begin(state v.state, plan v.plan, spent float8, unsettled float8, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(begin(state, plan, spent, unsettled, now)) $$;

-- The state as one under this plan, where it can go on unchanged from another plan of its kind; else null.
-- `advanced` is the same state as it is at `now`.
create function v.inherit(state v.state, advanced v.state, old v.plan, plan v.plan, now float8)
returns v.state language sql immutable as $$
  select :BY_KIND(inherit(state, advanced, old, plan, now)) $$;

-- The instant at which a share ends that is lent at `now`.
create function v.lent_until(state v.state, plan v.plan, now float8) returns float8
language sql immutable as $$ select :BY_KIND(lent_until(state, plan, now)) $$;

-- How many numbers an entry has.
create function v.width(plan v.plan) returns int
language sql immutable as $$ select :BY_KIND(width()) $$;

-- The entries that a reply needs, of what `needs` and `leases` describe: see execute.sql.
create function v.shown(state v.state, plan v.plan, needs float8[], leases float8[])
returns float8[] language sql stable as $$ select :BY_KIND(shown(state, plan, needs, leases)) $$;

-- The older entries of a long list, as a state would have them.
create function v.older_entries(state v.state, plan v.plan) returns float8[]
language sql stable as $$ select :BY_KIND(older_entries(state)) $$;

-- Gives entries of a state rows of their own.
create function v.move_out(older spillway.older, moved float8[], plan v.plan) returns spillway.older
language sql volatile as $$ select :BY_KIND(move_out(older, moved)) $$;
