/** The SQL files beside this one, as `npm run embed` puts them together. Not for editing. */
export const INSTALL = `-- Installs version 4 in one statement, all of it or nothing. Run again, it changes nothing.
--
-- Versions live side by side: the names of a version's functions and types begin with its number, and all
-- versions share the tables. So older programs go on while newer ones are deployed, in either order. A later
-- version may add columns that have defaults.
do $install$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
  messages constant pg_catalog.text := pg_catalog.current_setting('client_min_messages');
  obstacle pg_catalog.text;
begin
  -- Names mean what Postgres itself has, and nobody else's functions, operators and types. This lasts until the
  -- end of the statement, or of the transaction that fails with it.
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  -- Some drivers print a notice for what exists already.
  perform set_config('client_min_messages', 'warning', true);
  -- Of two that install at once, the second waits and finds it done.
  perform pg_advisory_xact_lock(hashtext('spillway.migrations'));
  <<install>>
  begin
    if to_regnamespace('spillway') is null then
      create schema spillway;
    end if;
    -- Whoever owns the schema, or has made something in it, or may make something in it, has code run with the rights
    -- of all who migrate and ask. That may be this role, a role that it is a member of, the owner of the database, or a
    -- superuser. That this role itself is a superuser makes nobody else trustworthy.
    with recursive own(role) as (
      select oid from pg_roles where rolname = current_user
      union select roleid from pg_auth_members join own on member = own.role
    ), trusted(role) as (
      select role from own
      union select oid from pg_roles where rolsuper
      union select datdba from pg_database where datname = current_database()
      -- Of which the owner of the database is the only member, and which owns \`public\` from version 15 on.
      union select oid from pg_roles where rolname = 'pg_database_owner'
    ), made(thing, owner) as (
      select 'the schema', nspowner from pg_namespace where nspname = 'spillway'
      union all select format('its %s', relname), relowner from pg_class
        where relnamespace = 'spillway'::regnamespace
      union all select format('its function %s', proname), proowner from pg_proc
        where pronamespace = 'spillway'::regnamespace
      union all select format('its type %s', typname), typowner from pg_type
        where typnamespace = 'spillway'::regnamespace and typelem = 0
      union all select 'the right to create in it', acl.grantee
        from pg_namespace, aclexplode(nspacl) as acl
        where nspname = 'spillway' and acl.privilege_type = 'CREATE' and acl.grantee = 0
    )
    select format('%s belongs to %s', thing, case when owner = 0 then 'everybody' else pg_get_userbyid(owner) end)
    into obstacle from made where owner not in (select role from trusted) limit 1;
    if obstacle is not null then
      raise exception using errcode = 'duplicate_schema', message = format(
        'schema %s is not safe: %s, whose code would run with the rights of whoever migrates and asks. '
        'Choose another schema, take that away, or migrate as that role', 'spillway', obstacle);
    end if;
    create table if not exists spillway.migrations (
      version int primary key,
      installed_at timestamptz not null default now()
    );
    if to_regclass('spillway.exceptions') is null then
      -- The register of exceptions: who is blocked or overridden, and why. All versions use it by statements of their
      -- own, see postgres/register-statements.ts.
      --
      --   id        limit, key and type, in hexadecimal: see limiter/exceptions/ids.ts
      --   reason    empty for none
      --   revision  distinguishes each writing of a row
      --   since     when it was written, in milliseconds since 1970
      --   until     the instant from which on it may be removed
      create /*unlogged*/ table spillway.exceptions (
        id text collate "C" primary key,
        reason text not null,
        revision int8 not null,
        since int8 not null,
        until int8 not null
      );
      create index exceptions_by_end on spillway.exceptions (until);
    end if;
    exit install when exists (select from spillway.migrations where version = 4);
    if to_regclass('spillway.budgets') is null then
      -- What a row knows of the older entries of its list, which have rows of their own: see older.sql.
      --
      --   list     whose they are
      --   past     those up to here have expired; of a log a position, of leases an instant
      --   last     those beyond do not count: where the newest entries in the row itself go on
      --   removed  ids of leases that are to be deleted; null in a row
      create type spillway.older as (list uuid, past float8, last float8, removed float8[]);

      -- The state of a budget under another definition of its limit, kept until an instant.
      create type spillway.other as (
        definition text,
        used float8,
        since float8,
        previous float8,
        unsettled float8,
        entries float8[],
        until float8
      );

      -- A row for each budget that differs from a fresh one. A row that has become fresh stays until it is swept.
      --
      --   id             the budget: the length of the limit's name, the name, "=" and the key
      --   definition     the definition under which the row was written: see postgres/statements.ts; empty for a
      --                  row that was only made to be locked
      --   used, since, previous, unsettled
      --                  usage, in ticks or units and milliseconds since 1970 (docs/algorithms)
      --   blocked_until  the end of a block; 0 for no block
      --   fresh_at       the instant from which on the row equals no row
      --   entries        of a sliding log: instant, units, and so on, oldest first; of a concurrency limit:
      --                  expiry, units, id of each lease, and so on, first to expire first; the same of each share of
      --                  a limit of which units are lent
      --                  of a long list the newest of them
      --   others         the state under other definitions, while several are in use; null for none
      --   older          what is known of the rest of a long list; null for none
      --
      -- All numbers are whole and below 2^53. float8 holds them exactly, so that the arithmetic agrees with
      -- TypeScript's to the bit.
      create /*unlogged*/ table spillway.budgets (
        id text collate "C" primary key,
        definition text not null,
        used float8 not null,
        since float8 not null,
        previous float8 not null,
        unsettled float8 not null,
        blocked_until float8 not null,
        fresh_at float8 not null,
        entries float8[],
        others spillway.other[],
        older spillway.older
      )
      -- Free space in each page keeps updates out of the index and lets pages be cleaned without a vacuum.
      -- Rows that were swept are vacuumed often, and without pauses, while that is little work.
      with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

      -- The older entries of long lists, a row each. Written once, under the lock of the budget's row.
      --
      --   list     the list that \`budgets.older\` names
      --   id       of a lease; of an entry of a log its position: all units of the list up to and including it
      --   instant  of an entry of a log; at which a lease expires
      --   units    of the entry
      create /*unlogged*/ table spillway.entries (
        list uuid,
        id float8,
        instant float8 not null,
        units float8 not null,
        primary key (list, id)
      )
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
      create index entries_by_instant on spillway.entries (list, instant, id);
    end if;

    -- A definition of a limit, ready for arithmetic: see docs/algorithms.
    create type spillway.v4_plan as (
      -- The fields below as text, as \`budgets.definition\` keeps it.
      definition text,
      kind int,
      rate float8,
      period float8,
      ticks_per_unit float8,
      refill_per_ms float8,
      capacity_ticks float8,
      debt_ticks float8,
      window_alignment float8,
      -- The configured start of windows; null for none.
      start float8,
      -- An instant at which a window of the budget begins.
      anchor float8,
      -- For how many milliseconds units are lent, at most; no part of the definition. Null where a row is read.
      share float8
    );

    -- The columns of a row that describe usage.
    create type spillway.v4_state as (
      used float8,
      since float8,
      previous float8,
      unsettled float8,
      blocked_until float8,
      entries float8[],
      others spillway.other[],
      older spillway.older,
      -- The record of refusals and penalties, which a row has among its others: see penalties.sql. Null for none.
      penalty float8[]
    );
    -- 2^52: the sum of two numbers up to this is exact.
    create function spillway.v4_exact() returns float8 language sql immutable as $$ select 4503599627370496::float8 $$;

    -- The time in milliseconds since 1970: the caller's, or the server's.
    create function spillway.v4_clock(at float8) returns float8 language sql volatile as $$
      select coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000)) $$;

    -- Reads a definition. The anchor depends on the budget, and how long shares last on the request: left out.
    create function spillway.v4_plan_from(definition text) returns spillway.v4_plan language plpgsql immutable as $$
    declare
      fields constant text[] := string_to_array(definition, ':', '-');
    begin
      return row(definition, fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7],
        fields[8], fields[9], null, null)::spillway.v4_plan;
    end $$;

    -- The plan of each budget, with its anchor. Behind the definition of a limit of which units are lent comes "/"
    -- and for how long.
    create function spillway.v4_plans(definitions text[], owners int[], anchors float8[]) returns spillway.v4_plan[]
    language plpgsql immutable as $$
    declare
      distinct_plans spillway.v4_plan[];
      plans spillway.v4_plan[];
      plan spillway.v4_plan;
    begin
      for n in 1..cardinality(definitions) loop
        plan := spillway.v4_plan_from(split_part(definitions[n], '/', 1));
        plan.share := nullif(split_part(definitions[n], '/', 2), '');
        distinct_plans[n] := plan;
      end loop;
      for n in 1..cardinality(owners) loop
        plan := distinct_plans[owners[n]];
        plan.anchor := anchors[n];
        plans[n] := plan;
      end loop;
      return plans;
    end $$;

    -- The start of the window that contains an instant, where some window starts at the anchor.
    create function spillway.v4_window_start(plan spillway.v4_plan, at float8) returns float8 language sql immutable as $$
      select case when plan.window_alignment = 1 then at else at -
        (((at - plan.anchor)::bigint % plan.window_alignment::bigint) + plan.window_alignment::bigint)
          % plan.window_alignment::bigint end $$;

    -- How many windows have ended since the one of the state; 0 while it lasts.
    create function spillway.v4_windows_gone(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when now - state.since < plan.period then 0 else floor((now - state.since) / plan.period) end $$;
    -- Lists of entries of \`width\` numbers each: first an instant, then units. Instants ascend.

    -- The expired entries: how many numbers they are, and the sum of their units.
    create function spillway.v4_expired(entries float8[], width int, at float8, out numbers int, out units float8)
    language plpgsql immutable as $$
    begin
      numbers := 0;
      units := 0;
      while entries[numbers + 1] <= at loop
        units := units + entries[numbers + 2];
        numbers := numbers + width;
      end loop;
    end $$;

    -- The state without its expired entries.
    create function spillway.v4_without_expired(state spillway.v4_state, width int, at float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      expired record;
    begin
      -- Most of the time there are none.
      if state.entries[1] <= at then
        expired := spillway.v4_expired(state.entries, width, at);
        state.used := state.used - expired.units;
        state.entries := state.entries[expired.numbers + 1:];
        state.unsettled := least(state.unsettled, state.used);
      end if;
      return state;
    end $$;

    -- Earlier instants: moved back by \`ms\`, then capped.
    create function spillway.v4_earlier_entries(entries float8[], width int, ms float8, latest float8)
    returns float8[] language sql immutable as $$
      select array(
        select case when place % width = 1 then least(number - ms, latest) else number end
        from unnest(entries) with ordinality as numbers(number, place) order by place) $$;
    -- Rows of \`spillway.entries\`, found by one of its two indexes. A plan is made once a session, by what statistics say
    -- then, and used for lists of any length later. So nothing is left to them: as nothing may be sorted, only the index
    -- with the order that is asked for can be used. \`between\` keeps the planner from reasoning that the order by an id
    -- that is given is none. To compile such a query takes longer than the query.

    -- Those with some ids, each once.
    create function spillway.v4_entries_with(of_list uuid, ids float8[])
    returns table (place tid, id float8, instant float8, units float8) language plpgsql stable
    set enable_sort = off set jit = off as $$
    begin
      return query select entry.* from (select distinct unnest(ids)) as named(id)
      cross join lateral (
        select e.ctid, e.id, e.instant, e.units from spillway.entries as e
        where e.list = of_list and e.id between named.id and named.id order by e.id limit 1
      ) as entry;
    end $$;

    -- Those of instants after one and up to another.
    create function spillway.v4_entries_between(of_list uuid, past float8, upto float8)
    returns table (place tid, id float8, instant float8, units float8) language plpgsql stable
    set enable_sort = off set jit = off as $$
    begin
      return query select e.ctid, e.id, e.instant, e.units from spillway.entries as e
      where e.list = of_list and e.instant > past and e.instant <= upto order by e.instant, e.id;
    end $$;
    -- Every kind of limit, unless the file of the kind has a function of its own: see kinds.sql.

    -- Whether an ask is admitted: \`needed\` ticks beside those spent.
    create function spillway.v4_fits(
      blocked_until float8, spent float8, needed float8, available float8, now float8
    ) returns boolean language sql immutable as $$
      select blocked_until <= now and spent + needed <= available $$;

    -- Ticks used, of a state that is advanced to \`now\`.
    create function spillway.v4_rate_spent(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$ select state.used $$;

    -- Ticks that 1 in \`used\`, \`previous\` and \`unsettled\` stands for.
    create function spillway.v4_rate_resolution(plan spillway.v4_plan) returns float8
    language sql immutable as $$ select 1::float8 $$;

    -- The most that \`used\` can be, so that all that follows from it is exact.
    create function spillway.v4_rate_most_used(state spillway.v4_state, plan spillway.v4_plan) returns float8
    language sql immutable as $$ select spillway.v4_exact() $$;

    -- Begins anew at \`now\`, with ticks already used, some of which can still be settled. A block stays.
    create function spillway.v4_rate_begin(state spillway.v4_state, plan spillway.v4_plan, spent float8, unsettled float8, now float8)
    returns spillway.v4_state language plpgsql immutable as $$
    begin
      state.used := ceil(spent / spillway.v4_resolution(plan));
      state.since := spillway.v4_window_start(plan, now);
      state.previous := 0;
      state.unsettled := floor(unsettled / spillway.v4_resolution(plan));
      state.entries := null;
      state.older := null;
      return state;
    end $$;

    -- Takes units, for a concurrency limit as a lease.
    create function spillway.v4_rate_charge(state spillway.v4_state, plan spillway.v4_plan, units float8, lease float8, now float8)
    returns spillway.v4_state language plpgsql immutable as $$
    declare
      taken constant float8 := units * (plan.ticks_per_unit / spillway.v4_resolution(plan));
    begin
      state.used := state.used + taken;
      state.unsettled := state.unsettled + taken;
      return state;
    end $$;

    -- Replaces an estimate by the true number. Upward there is no bound but exactness. Downward no more comes
    -- back than was taken, is still used and was not settled before.
    create function spillway.v4_rate_settle(state spillway.v4_state, plan spillway.v4_plan, reserved float8, really float8, now float8)
    returns spillway.v4_state language plpgsql immutable as $$
    declare
      scale constant float8 := plan.ticks_per_unit / spillway.v4_resolution(plan);
      change constant float8 := (really - reserved) * scale;
      used constant float8 := case when change < 0 then state.used - least(-change, state.unsettled)
        else least(spillway.v4_exact(), state.used + change) end;
    begin
      state.unsettled := least(greatest(0, state.unsettled - reserved * scale), used);
      state.used := least(used, greatest(state.used, spillway.v4_most_used(state, plan)));
      return state;
    end $$;

    -- The entries that a reply needs: see execute.sql.
    create function spillway.v4_rate_shown(state spillway.v4_state, plan spillway.v4_plan, needs float8[], leases float8[])
    returns float8[] language sql immutable as $$ select state.entries $$;
    -- Token bucket: \`refill_per_ms\` ticks come back each millisecond. \`used\` is what is missing.

    -- Ticks missing at \`now\`.
    create function spillway.v4_ticks_missing(used float8, since float8, refill_per_ms float8, now float8)
    returns float8 language sql immutable as $$
      select greatest(0, used - greatest(0, now - since) * refill_per_ms) $$;

    -- The instant at which no tick is missing, where some are at \`since\`; infinite without a refill.
    create function spillway.v4_refilled_at(used float8, since float8, refill_per_ms float8) returns float8
    language sql immutable as $$
      select since + coalesce(ceil(used / nullif(refill_per_ms, 0)), 'Infinity') $$;

    create function spillway.v4_token_bucket_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    begin
      state.used := spillway.v4_ticks_missing(state.used, state.since, plan.refill_per_ms, now);
      state.since := greatest(state.since, now);
      state.unsettled := least(state.unsettled, state.used);
      return state;
    end $$;

    create function spillway.v4_token_bucket_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when state.used = 0 then now
        else spillway.v4_refilled_at(state.used, state.since, plan.refill_per_ms) end $$;
    -- Fixed window: \`rate\` units come back whenever a window ends. \`since\` is the start of a window.

    create function spillway.v4_fixed_window_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      gone constant float8 := spillway.v4_windows_gone(state, plan, now);
    begin
      state.used := greatest(0, state.used - gone * plan.rate);
      state.since := state.since + gone * plan.period;
      state.unsettled := least(state.unsettled, state.used);
      return state;
    end $$;

    create function spillway.v4_fixed_window_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when state.used = 0 then now
        else state.since + plan.period * coalesce(ceil(state.used / nullif(plan.rate, 0)), 'Infinity') end $$;

    -- The wait for all of it is exact.
    create function spillway.v4_fixed_window_most_used(state spillway.v4_state, plan spillway.v4_plan) returns float8
    language sql immutable as $$
      select case when plan.rate = 0 then spillway.v4_exact() else floor(spillway.v4_exact() / plan.period) * plan.rate end $$;
    -- Sliding window: the units of this window, and those of the one before, weighted by how much of it the
    -- last period covers. \`used\` and \`previous\` are in units, the estimate is in ticks.

    create function spillway.v4_sliding_window_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      gone constant float8 := spillway.v4_windows_gone(state, plan, now);
    begin
      if gone > 0 then
        state.previous := case when gone = 1 then state.used else 0 end;
        state.used := 0;
        state.unsettled := 0;
        state.since := state.since + gone * plan.period;
      end if;
      return state;
    end $$;

    create function spillway.v4_sliding_window_spent(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select state.used * plan.period + state.previous * (plan.period - greatest(0, now - state.since)) $$;

    create function spillway.v4_sliding_window_resolution(plan spillway.v4_plan) returns float8
    language sql immutable as $$ select plan.ticks_per_unit $$;

    create function spillway.v4_sliding_window_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when state.used > 0 then state.since + 2 * plan.period
        when state.previous > 0 then state.since + plan.period else now end $$;

    -- The estimate is exact.
    create function spillway.v4_sliding_window_most_used(state spillway.v4_state, plan spillway.v4_plan) returns float8
    language sql immutable as $$ select floor(spillway.v4_exact() / plan.period) - state.previous $$;

    create function spillway.v4_sliding_window_inherit(
      state spillway.v4_state, advanced spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8
    ) returns spillway.v4_state language sql immutable as $$
      select case when plan.period = old.period and plan.start is not distinct from old.start
        and spillway.v4_sliding_window_spent(advanced, old, now) <= plan.capacity_ticks then state end $$;
    -- Sliding log: an entry for each millisecond in which units were taken, kept for one period: instant,
    -- units. \`used\` is the sum of all units, \`since\` the latest instant at which some were taken.
    --
    -- The position of an entry is the sum of all units up to and including it, since the list was begun. Older
    -- entries that count are those after the position \`past\`, up to the position \`last\`. The first and the last
    -- of them may count in part.

    create function spillway.v4_sliding_log_width() returns int language sql immutable as $$ select 2 $$;

    -- Without the expired entries of a long log.
    create function spillway.v4_log_without_expired(state spillway.v4_state, at float8) returns spillway.v4_state
    language plpgsql stable set enable_sort = off as $$
    declare
      older spillway.older := state.older;
      expired float8 := (
        select id from spillway.entries where list = older.list and instant <= at
        order by instant desc, id desc limit 1);
    begin
      if expired > older.past then
        expired := least(expired, older.last);
        state.used := state.used - (expired - older.past);
        state.unsettled := least(state.unsettled, state.used);
        older.past := expired;
        state.older := case when expired < older.last then older end;
      end if;
      return case when (state.older).list is null then spillway.v4_without_expired(state, 2, at) else state end;
    end $$;

    create function spillway.v4_sliding_log_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql stable as $$
      select case when (state.older).list is null
        then spillway.v4_without_expired(state, 2, greatest(state.since, now) - plan.period)
        else spillway.v4_log_without_expired(state, greatest(state.since, now) - plan.period) end $$;

    -- The instant of the newest of the older entries.
    create function spillway.v4_newest_older(older spillway.older) returns float8 language plpgsql stable
    set enable_sort = off as $$
    begin
      return (
        select instant from spillway.entries where list = older.list and id >= older.last
        order by id limit 1);
    end $$;

    create function spillway.v4_sliding_log_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql stable as $$
      select case when state.used = 0 then now
        else coalesce(state.entries[cardinality(state.entries) - 1], spillway.v4_newest_older(state.older))
          + plan.period end $$;

    -- Adds units at \`now\`, or at the newest entry if that is later.
    create function spillway.v4_log_units(state spillway.v4_state, units float8, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      last constant int := cardinality(state.entries);
    begin
      state.since := greatest(state.since, now);
      if state.entries[last - 1] = state.since then
        state.entries[last] := state.entries[last] + units;
      else
        state.entries := state.entries || array[state.since, units];
      end if;
      return state;
    end $$;

    -- Takes units off the newest entries.
    create function spillway.v4_unlog_units(state spillway.v4_state, units float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      last int := cardinality(state.entries);
    begin
      while units > 0 and last > 0 loop
        if state.entries[last] > units then
          state.entries[last] := state.entries[last] - units;
          exit;
        end if;
        units := units - state.entries[last];
        last := last - 2;
      end loop;
      state.entries := state.entries[:last];
      if units > 0 and last = 0 then state.older := spillway.v4_older_log_up_to(state.older, units); end if;
      return state;
    end $$;

    -- Without so many of the newest units.
    create function spillway.v4_older_log_up_to(older spillway.older, units float8) returns spillway.older
    language plpgsql immutable as $$
    begin
      older.last := older.last - units;
      return case when older.last > older.past then older end;
    end $$;

    create function spillway.v4_sliding_log_begin(
      state spillway.v4_state, plan spillway.v4_plan, spent float8, unsettled float8, now float8
    ) returns spillway.v4_state language plpgsql immutable as $$
    begin
      state := spillway.v4_rate_begin(state, plan, spent, unsettled, now);
      state.entries := case when spent > 0 then array[now, spent] else '{}' end;
      return state;
    end $$;

    create function spillway.v4_sliding_log_charge(
      state spillway.v4_state, plan spillway.v4_plan, units float8, lease float8, now float8
    ) returns spillway.v4_state language sql immutable as $$
      select spillway.v4_log_units(spillway.v4_rate_charge(state, plan, units, lease, now), units, now) $$;

    create function spillway.v4_sliding_log_settle(
      state spillway.v4_state, plan spillway.v4_plan, reserved float8, really float8, now float8
    ) returns spillway.v4_state language plpgsql immutable as $$
    declare
      used constant float8 := state.used;
    begin
      state := spillway.v4_rate_settle(state, plan, reserved, really, now);
      if state.used > used then return spillway.v4_log_units(state, state.used - used, now); end if;
      return spillway.v4_unlog_units(state, used - state.used);
    end $$;

    create function spillway.v4_sliding_log_inherit(
      state spillway.v4_state, advanced spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8
    ) returns spillway.v4_state language sql immutable as $$
      select case when plan.period = old.period and advanced.used <= plan.capacity_ticks then state end $$;

    -- The older entries that count: instant, units, and so on.
    create function spillway.v4_sliding_log_older_entries(state spillway.v4_state) returns float8[]
    language sql stable as $$
      select array_agg(number order by entry.id, place)
      from spillway.entries as entry
      cross join lateral unnest(array[entry.instant, least(entry.id, (state.older).last)
        - greatest(entry.id - entry.units, (state.older).past)]) with ordinality as numbers(number, place)
      where entry.list = (state.older).list and entry.id > (state.older).past
        and entry.id - entry.units < (state.older).last $$;

    -- Moves the oldest entries of a row out, after those that are out.
    create function spillway.v4_sliding_log_move_out(older spillway.older, moved float8[]) returns spillway.older
    language plpgsql set enable_sort = off set jit = off as $$
    begin
      if older.list is null then older := row(gen_random_uuid(), 0, 0, null)::spillway.older; end if;
      -- What has expired; and beyond the last, what was settled since.
      delete from spillway.entries where ctid = any (array(
        select ctid from spillway.entries where list = older.list and id <= older.past order by id));
      delete from spillway.entries where id - units >= older.last and ctid = any (array(
        select ctid from spillway.entries where list = older.list and id > older.last order by id));
      update spillway.entries set id = older.last, units = units - (id - older.last)
      where ctid = any (array(
        select ctid from spillway.entries where list = older.list and id > older.last order by id));
      with added as (
        insert into spillway.entries (list, id, instant, units)
        select older.list, older.last + sum(moved[2 * n]) over (order by n), moved[2 * n - 1], moved[2 * n]
        from generate_series(1, cardinality(moved) / 2) as n
        returning id)
      select max(id) into older.last from added;
      return older;
    end $$;

    -- The entries in the way of an ask, those that a settlement takes units back from, the oldest and the newest
    -- one. What lies between is added to the next entry that is shown.
    create function spillway.v4_sliding_log_shown(state spillway.v4_state, plan spillway.v4_plan, needs float8[], leases float8[])
    returns float8[] language plpgsql stable as $$
    declare
      excess constant float8 := state.used - plan.capacity_ticks;
      low constant float8 := excess + needs[1];
      high constant float8 := excess + needs[2];
      back_low constant float8 := state.used - least(needs[4], state.unsettled);
      back_high constant float8 := state.used - least(needs[3], state.unsettled);
      entries constant float8[] := state.entries;
      older constant spillway.older := state.older;
      last constant int := cardinality(entries);
      passed float8 := 0;
      returned float8 := 0;
      shown float8[] := '{}';
    begin
      if older.list is not null then
        passed := older.last - older.past;
        shown := coalesce(spillway.v4_older_shown(older, array[low, high, back_low, back_high, last]), '{}');
        returned := coalesce((select sum(shown[n]) from generate_series(2, cardinality(shown), 2) as n), 0);
      end if;
      for n in 2..last by 2 loop
        passed := passed + entries[n];
        if n = last or returned = 0 or (passed >= low and passed - entries[n] < high)
          or (passed >= back_low and passed - entries[n] < back_high)
        then
          shown := shown || array[entries[n - 1], passed - returned];
          returned := passed;
        end if;
      end loop;
      return shown;
    end $$;

    create function spillway.v4_older_between(older spillway.older, low float8, high float8)
    returns table (upto float8, instant float8) language sql stable as $$
      select least(entry.id, older.last) - older.past, entry.instant
      from spillway.entries as entry
      where entry.list = older.list and entry.id > older.past and low <= high
        and entry.id - entry.units < older.last
        and entry.id >= older.past + low and entry.id <= coalesce((
          select beyond.id from spillway.entries as beyond
          where beyond.list = older.list and beyond.id >= older.past + high and beyond.id > older.past
          order by beyond.id limit 1), 'Infinity')
      order by entry.id $$;

    -- The same of the older entries, in counts of units of which the first is at \`past\`.
    create function spillway.v4_older_shown(older spillway.older, needs float8[]) returns float8[]
    language plpgsql stable set enable_sort = off set jit = off as $$
    begin
      return (with found as (
        select * from spillway.v4_older_between(older, needs[1], needs[2])
        union select * from spillway.v4_older_between(older, needs[3], needs[4])
        union select * from spillway.v4_older_between(older, 0, 0)
        union select * from spillway.v4_older_between(older, older.last - older.past, case when needs[5] = 0
          then older.last - older.past else '-Infinity' end)
      ), parts as (
        select upto, instant, upto - lag(upto, 1, 0::float8) over (order by upto) as units
        from found
      )
      select array_agg(number order by upto, place) from parts
      cross join lateral unnest(array[instant, units]) with ordinality as numbers(number, place));
    end $$;
    -- Leaky bucket: counts as a token bucket does.

    create function spillway.v4_leaky_bucket_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql immutable as $$ select spillway.v4_token_bucket_advance(state, plan, now) $$;

    create function spillway.v4_leaky_bucket_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$ select spillway.v4_token_bucket_fresh_at(state, plan, now) $$;

    -- Nothing comes back: starts that were promised can't move.
    create function spillway.v4_leaky_bucket_settle(
      state spillway.v4_state, plan spillway.v4_plan, reserved float8, really float8, now float8
    ) returns spillway.v4_state language sql immutable as $$
      select spillway.v4_rate_settle(state, plan, reserved, greatest(reserved, really), now) $$;
    -- Concurrency: units are in flight, each held by a lease until it is released or expires. An entry for each
    -- lease: expiry, units, id. \`used\` is the sum of all units, \`since\` the latest instant at which a lease was
    -- taken or renewed.
    --
    -- Of the older leases those count that expire after the instant \`past\` and have not been removed; \`last\` is the
    -- instant at which the newest of them expires.

    -- Whether units of a limit are held by leases.
    create function spillway.v4_holds_leases(plan spillway.v4_plan) returns boolean
    language sql immutable as $$ select plan.kind = 6 $$;

    -- The position of a lease's units among the entries; null where there is no such lease.
    create function spillway.v4_lease_units_at(entries float8[], lease float8) returns int
    language plpgsql immutable as $$
    declare
      place int := array_position(entries, lease);
    begin
      -- An expiry and units can equal an id.
      while place % 3 <> 0 loop
        place := array_position(entries, lease, place + 1);
      end loop;
      return place - 1;
    end $$;

    -- The units of a lease; null where it is not in flight.
    create function spillway.v4_lease_units(state spillway.v4_state, lease float8) returns float8
    language plpgsql stable as $$
    declare
      place constant int := spillway.v4_lease_units_at(state.entries, lease);
      older constant spillway.older := state.older;
    begin
      if place is not null or older.list is null then return state.entries[place]; end if;
      return (
        select entry.units from spillway.v4_entries_with(older.list, array[lease]) as entry
        where entry.instant > older.past and (older.removed is null or lease <> all (older.removed)));
    end $$;

    -- Without a lease that is in flight, whose units still count as used.
    create function spillway.v4_without_lease(state spillway.v4_state, lease float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      place constant int := spillway.v4_lease_units_at(state.entries, lease);
      older spillway.older := state.older;
    begin
      if place is not null then
        state.entries := state.entries[:place - 2] || state.entries[place + 2:];
      else
        older.removed := array_append(older.removed, lease);
        state.older := older;
      end if;
      return state;
    end $$;

    create function spillway.v4_concurrency_width() returns int language sql immutable as $$ select 3 $$;

    -- Without the expired ones of many leases.
    create function spillway.v4_leases_without_expired(state spillway.v4_state, at float8) returns spillway.v4_state
    language plpgsql stable as $$
    declare
      older spillway.older := state.older;
      expired constant float8 := (
        select coalesce(sum(units), 0) from spillway.v4_entries_between(older.list, older.past, at));
    begin
      -- All of them may have been released.
      if expired > 0 or older.last <= at then
        state.used := state.used - expired;
        state.unsettled := least(state.unsettled, state.used);
        older.past := at;
        state.older := case when at < older.last then older end;
      end if;
      return case when (state.older).list is null then spillway.v4_without_expired(state, 3, at) else state end;
    end $$;

    create function spillway.v4_concurrency_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql stable as $$
      select case when (state.older).list is null
        then spillway.v4_without_expired(state, 3, greatest(state.since, now))
        else spillway.v4_leases_without_expired(state, greatest(state.since, now)) end $$;

    create function spillway.v4_concurrency_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when state.used = 0 then now else state.since + plan.period end $$;

    -- What another kind has counted is held by a lease that belongs to nobody.
    create function spillway.v4_concurrency_begin(
      state spillway.v4_state, plan spillway.v4_plan, spent float8, unsettled float8, now float8
    ) returns spillway.v4_state language plpgsql immutable as $$
    begin
      state := spillway.v4_rate_begin(state, plan, spent, 0, now);
      state.entries := case when spent > 0 then array[now + plan.period, spent, 0] else '{}' end;
      return state;
    end $$;

    -- Adds a lease that expires last. Units of one that is in flight are added to it.
    create function spillway.v4_concurrency_charge(
      state spillway.v4_state, plan spillway.v4_plan, units float8, lease float8, now float8
    ) returns spillway.v4_state language plpgsql stable as $$
    declare
      known constant float8 := spillway.v4_lease_units(state, lease);
    begin
      state.used := state.used + units;
      state.since := greatest(state.since, now);
      if known is not null then
        units := units + known;
        state := spillway.v4_without_lease(state, lease);
      end if;
      state.entries := state.entries || array[state.since + plan.period, units, lease];
      return state;
    end $$;

    -- Releases a lease, and returns null where it is not in flight with these units.
    create function spillway.v4_release(state spillway.v4_state, lease float8, units float8) returns spillway.v4_state
    language plpgsql stable as $$
    begin
      if spillway.v4_lease_units(state, lease) is distinct from units then return null; end if;
      state.used := state.used - units;
      return spillway.v4_without_lease(state, lease);
    end $$;

    -- Lets a lease last for its whole time again, and returns null where it is not in flight with these units.
    create function spillway.v4_renew(state spillway.v4_state, plan spillway.v4_plan, lease float8, units float8, now float8)
    returns spillway.v4_state language plpgsql stable as $$
    declare
      released constant spillway.v4_state := spillway.v4_release(state, lease, units);
    begin
      if released.used is null then return null; end if;
      return spillway.v4_concurrency_charge(released, plan, units, lease, now);
    end $$;

    -- Leases are released, not settled.
    create function spillway.v4_concurrency_settle(
      state spillway.v4_state, plan spillway.v4_plan, reserved float8, really float8, now float8
    ) returns spillway.v4_state language sql immutable as $$ select state $$;

    -- All leases stay in flight, but for no longer than one that is taken now.
    create function spillway.v4_concurrency_inherit(
      state spillway.v4_state, advanced spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8
    ) returns spillway.v4_state language plpgsql immutable as $$
    begin
      advanced.since := greatest(advanced.since, now);
      advanced.entries := spillway.v4_earlier_entries(advanced.entries, 3, 0, advanced.since + plan.period);
      return advanced;
    end $$;

    -- The older leases that count: expiry, units, id, and so on.
    create function spillway.v4_concurrency_older_entries(state spillway.v4_state) returns float8[]
    language sql stable as $$
      select array_agg(number order by lease.instant, lease.id, place)
      from spillway.entries as lease
      cross join lateral unnest(array[lease.instant, lease.units, lease.id])
        with ordinality as numbers(number, place)
      where lease.list = (state.older).list and lease.instant > (state.older).past
        and ((state.older).removed is null or lease.id <> all ((state.older).removed)) $$;

    -- Moves the oldest leases of a row out.
    create function spillway.v4_concurrency_move_out(older spillway.older, moved float8[]) returns spillway.older
    language plpgsql as $$
    begin
      if older.list is null then older := row(gen_random_uuid(), 0, 0, null)::spillway.older; end if;
      delete from spillway.entries
      where ctid = any (array(select place from spillway.v4_entries_between(older.list, '-Infinity', older.past)));
      insert into spillway.entries (list, instant, units, id)
      select older.list, moved[n], moved[n + 1], moved[n + 2]
      from generate_series(1, cardinality(moved), 3) as n;
      older.last := moved[cardinality(moved) - 2];
      return older;
    end $$;

    -- Those in the row; of the older ones those that free units between two counts of units, and those that a
    -- request names. What frees units before is one lease that nobody holds.
    create function spillway.v4_concurrency_shown(state spillway.v4_state, plan spillway.v4_plan, needs float8[], leases float8[])
    returns float8[] language plpgsql stable as $$
    declare
      older constant spillway.older := state.older;
      low constant float8 := state.used - plan.capacity_ticks + needs[1];
      high constant float8 := state.used - plan.capacity_ticks + needs[2];
      total float8;
      between_ids float8[];
      before float8;
      expiry float8;
      shown float8[];
    begin
      if older.list is null then return state.entries; end if;
      if high > 0 then
        total := state.used - (select coalesce(sum(units), 0) from spillway.v4_as_leases(state.entries));
        select array_agg(id order by upto), min(upto - units), min(instant)
        into between_ids, before, expiry
        from spillway.v4_leases_between(older, total, low, high);
        if before is null then
          before := total;
          expiry := older.last;
        end if;
        before := before - (
          select coalesce(sum(units), 0) from spillway.v4_entries_with(older.list, leases)
          where instant > older.past
            and (between_ids is null or (instant, id) < (expiry, between_ids[1])));
      end if;
      select array_agg(number order by lease.instant, lease.id, place) into shown
      from (
        select instant, units, id from spillway.v4_entries_with(older.list, leases || between_ids)
        where instant > older.past
        union all select expiry, before, -1 where before > 0
      ) as lease
      cross join lateral unnest(array[lease.instant, lease.units, lease.id])
        with ordinality as numbers(number, place);
      return shown || state.entries;
    end $$;

    -- The older leases with whose expiry between \`low\` and \`high\` units are free, and the units free by then.
    -- \`total\` is the sum of all older units. They are added up from the end that is nearer.
    create function spillway.v4_leases_between(older spillway.older, total float8, low float8, high float8)
    returns table (id float8, instant float8, units float8, upto float8) language plpgsql stable
    set enable_sort = off set jit = off as $$
    declare
      -- A lease has a unit or more.
      most constant int := least(greatest(0, high - greatest(0, low)) + 1, 1e9);
      passed record;
    begin
      if low > total then return; end if;
      if low <= total / 2 then
        passed := spillway.v4_oldest_leases(older, low - 1);
        return query select * from (
          select lease.id, lease.instant, lease.units, passed.sum
            + sum(lease.units) over (order by lease.instant, lease.id rows unbounded preceding) as upto
          from spillway.entries as lease
          where lease.list = older.list and lease.instant > older.past and lease.instant >= passed.until
        ) as lease
        where lease.upto >= low and lease.upto - lease.units < high
        limit most;
      else
        passed := spillway.v4_newest_leases(older, total - high);
        return query select * from (
          select lease.id, lease.instant, lease.units, total - passed.sum + lease.units
            - sum(lease.units) over (order by lease.instant desc, lease.id desc rows unbounded preceding) as upto
          from spillway.entries as lease
          where lease.list = older.list and lease.instant > older.past and lease.instant <= passed.down_to
        ) as lease
        where lease.upto >= low and lease.upto - lease.units < high
        limit most;
      end if;
    end $$;

    -- The sum of units of some of the oldest leases, \`most\` at most: of those that expire before \`until\`. To add up many
    -- at once costs a third of seeing the sum after each, so half of those that may still fit are tried, again and again.
    create function spillway.v4_oldest_leases(older spillway.older, most float8, out sum float8, out until float8)
    language plpgsql stable set enable_sort = off set jit = off as $$
    declare
      step int := floor(most / 2);
      next float8;
      added float8;
    begin
      sum := 0;
      until := '-Infinity';
      while step >= 64 loop
        next := (
          select instant from spillway.entries
          where list = older.list and instant > older.past and instant >= until
          order by instant, id offset step limit 1);
        added := (
          select sum(units) from (
            select units from spillway.entries
            where list = older.list and instant > older.past and instant >= until and instant < next
            order by instant, id) as lease);
        if sum + added <= most then
          sum := sum + added;
          until := next;
          step := floor((most - sum) / 2);
        else
          step := step / 2;
        end if;
      end loop;
    end $$;

    -- The same of some of the newest leases: of those that expire after \`down_to\`.
    create function spillway.v4_newest_leases(older spillway.older, most float8, out sum float8, out down_to float8)
    language plpgsql stable set enable_sort = off set jit = off as $$
    declare
      step int := floor(most / 2);
      next float8;
      added float8;
    begin
      sum := 0;
      down_to := 'Infinity';
      while step >= 64 loop
        next := (
          select instant from spillway.entries
          where list = older.list and instant > older.past and instant <= down_to
          order by instant desc, id desc offset step limit 1);
        added := (
          select sum(units) from (
            select units from spillway.entries
            where list = older.list and instant <= down_to and instant > next
            order by instant desc, id desc) as lease);
        if sum + added <= most then
          sum := sum + added;
          down_to := next;
          step := floor((most - sum) / 2);
        else
          step := step / 2;
        end if;
      end loop;
    end $$;

    create function spillway.v4_as_leases(entries float8[])
    returns table (instant float8, units float8, id float8) language sql immutable as $$
      select entries[n], entries[n + 1], entries[n + 2]
      from generate_series(1, cardinality(entries), 3) as n $$;
    -- Rates of which units are lent to processes: a kind of its own for each kind that lends, "lent" before its name.
    -- What is lent is among \`used\` until its holder says otherwise, or its time is over. An entry for each share:
    -- until when, units, id, in that order of ending. There are few, so the row always has all of them.
    --
    -- Where a lent kind has no function here, that of the kind without shares is used.

    -- Whether units of a limit are lent.
    create function spillway.v4_lends_units(plan spillway.v4_plan) returns boolean language sql immutable as $$
      select plan.kind in (7, 8, 9) $$;

    -- The kind, without regard to whether units are lent.
    create function spillway.v4_base_kind(plan spillway.v4_plan) returns int language sql immutable as $$
      select case plan.kind when 7 then 1 when 8 then 3
        when 9 then 4 else plan.kind end $$;

    create function spillway.v4_lent_width() returns int language sql immutable as $$ select 3 $$;

    -- Units that are listed as lent.
    create function spillway.v4_units_lent(state spillway.v4_state) returns float8 language sql immutable as $$
      select coalesce(sum(units), 0) from spillway.v4_as_leases(state.entries) $$;

    -- Missing ticks are worked out from the end of one share to that of the next, between which what is lent does
    -- not come back.
    create function spillway.v4_lent_token_bucket_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      entries constant float8[] := state.entries;
      last constant float8 := greatest(state.since, now);
      used float8 := state.used;
      since float8 := state.since;
      lent float8 := spillway.v4_units_lent(state) * plan.ticks_per_unit;
      place int := 1;
    begin
      while entries[place] <= last loop
        used := greatest(lent, used - greatest(0, entries[place] - since) * plan.refill_per_ms);
        since := greatest(since, entries[place]);
        lent := lent - entries[place + 1] * plan.ticks_per_unit;
        place := place + 3;
      end loop;
      state.used := greatest(lent, used - (last - since) * plan.refill_per_ms);
      state.since := last;
      -- What is lent can't be settled: it has not been used yet, as far as is known.
      state.unsettled := least(state.unsettled, state.used - lent);
      if place > 1 then state.entries := entries[place:]; end if;
      return state;
    end $$;

    -- Exact if nobody gives back.
    create function spillway.v4_lent_token_bucket_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language plpgsql immutable as $$
    declare
      used float8 := state.used;
      since float8 := state.since;
      lent float8 := spillway.v4_units_lent(state) * plan.ticks_per_unit;
      share record;
    begin
      if used = 0 then return now; end if;
      for share in select instant, units from spillway.v4_as_leases(state.entries) loop
        used := greatest(lent, used - (share.instant - since) * plan.refill_per_ms);
        since := share.instant;
        lent := lent - share.units * plan.ticks_per_unit;
      end loop;
      return spillway.v4_refilled_at(used, since, plan.refill_per_ms);
    end $$;

    create function spillway.v4_lent_token_bucket_lent_until(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$ select greatest(state.since, now) + plan.share $$;

    -- Units that are lent in a window end with it, so that none has to stay missing in the next.
    create function spillway.v4_lent_lent_until(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select least(greatest(state.since, now) + plan.share, state.since + plan.period) $$;

    -- The state of a window without the shares that are over.
    create function spillway.v4_without_ended(state spillway.v4_state, now float8) returns spillway.v4_state language plpgsql immutable as $$
    declare
      last constant float8 := greatest(state.since, now);
      place int := 1;
    begin
      while state.entries[place] <= last loop place := place + 3; end loop;
      if place > 1 then state.entries := state.entries[place:]; end if;
      return state;
    end $$;

    create function spillway.v4_lent_fixed_window_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql immutable as $$ select spillway.v4_without_ended(spillway.v4_fixed_window_advance(state, plan, now), now) $$;

    create function spillway.v4_lent_sliding_window_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql immutable as $$ select spillway.v4_without_ended(spillway.v4_sliding_window_advance(state, plan, now), now) $$;
    -- The functions that every kind has. Here, and nowhere else, one is chosen by the kind: \`npm run embed\`
    -- writes a \`case\` in place of :BY_KIND. A kind's own function is named after the kind, as in
    -- \`fixed_window_advance\`. A kind that has none uses that of rates.sql; one whose units are lent first that which all
    -- such kinds have, and that of the kind without shares.

    -- The state as it is at \`now\`. All functions below take a state that is advanced.
    create function spillway.v4_advance(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql stable as $$ select case plan.kind when 1 then spillway.v4_token_bucket_advance(state, plan, now) when 3 then spillway.v4_fixed_window_advance(state, plan, now) when 4 then spillway.v4_sliding_window_advance(state, plan, now) when 5 then spillway.v4_sliding_log_advance(state, plan, now) when 2 then spillway.v4_leaky_bucket_advance(state, plan, now) when 6 then spillway.v4_concurrency_advance(state, plan, now) when 7 then spillway.v4_lent_token_bucket_advance(state, plan, now) when 8 then spillway.v4_lent_fixed_window_advance(state, plan, now) when 9 then spillway.v4_lent_sliding_window_advance(state, plan, now) end $$;

    create function spillway.v4_spent(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$ select case plan.kind when 4 then spillway.v4_sliding_window_spent(state, plan, now) when 9 then spillway.v4_sliding_window_spent(state, plan, now) else spillway.v4_rate_spent(state, plan, now) end $$;

    create function spillway.v4_resolution(plan spillway.v4_plan) returns float8
    language sql immutable as $$ select case plan.kind when 4 then spillway.v4_sliding_window_resolution(plan) when 9 then spillway.v4_sliding_window_resolution(plan) else spillway.v4_rate_resolution(plan) end $$;

    create function spillway.v4_most_used(state spillway.v4_state, plan spillway.v4_plan) returns float8
    language sql immutable as $$ select case plan.kind when 3 then spillway.v4_fixed_window_most_used(state, plan) when 4 then spillway.v4_sliding_window_most_used(state, plan) when 8 then spillway.v4_fixed_window_most_used(state, plan) when 9 then spillway.v4_sliding_window_most_used(state, plan) else spillway.v4_rate_most_used(state, plan) end $$;

    -- The instant from which on nothing is used; infinite where nothing comes back.
    create function spillway.v4_fresh_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql stable as $$ select case plan.kind when 1 then spillway.v4_token_bucket_fresh_at(state, plan, now) when 3 then spillway.v4_fixed_window_fresh_at(state, plan, now) when 4 then spillway.v4_sliding_window_fresh_at(state, plan, now) when 5 then spillway.v4_sliding_log_fresh_at(state, plan, now) when 2 then spillway.v4_leaky_bucket_fresh_at(state, plan, now) when 6 then spillway.v4_concurrency_fresh_at(state, plan, now) when 7 then spillway.v4_lent_token_bucket_fresh_at(state, plan, now) when 8 then spillway.v4_fixed_window_fresh_at(state, plan, now) when 9 then spillway.v4_sliding_window_fresh_at(state, plan, now) end $$;

    create function spillway.v4_charge(state spillway.v4_state, plan spillway.v4_plan, units float8, lease float8, now float8)
    returns spillway.v4_state language sql stable as $$
      select case plan.kind when 5 then spillway.v4_sliding_log_charge(state, plan, units, lease, now) when 6 then spillway.v4_concurrency_charge(state, plan, units, lease, now) else spillway.v4_rate_charge(state, plan, units, lease, now) end $$;

    create function spillway.v4_settle(state spillway.v4_state, plan spillway.v4_plan, reserved float8, really float8, now float8)
    returns spillway.v4_state language sql immutable as $$
      select case plan.kind when 5 then spillway.v4_sliding_log_settle(state, plan, reserved, really, now) when 2 then spillway.v4_leaky_bucket_settle(state, plan, reserved, really, now) when 6 then spillway.v4_concurrency_settle(state, plan, reserved, really, now) else spillway.v4_rate_settle(state, plan, reserved, really, now) end $$;

    create function spillway.v4_begin(state spillway.v4_state, plan spillway.v4_plan, spent float8, unsettled float8, now float8)
    returns spillway.v4_state language sql immutable as $$
      select case plan.kind when 5 then spillway.v4_sliding_log_begin(state, plan, spent, unsettled, now) when 6 then spillway.v4_concurrency_begin(state, plan, spent, unsettled, now) else spillway.v4_rate_begin(state, plan, spent, unsettled, now) end $$;

    -- The state as one under this plan, where it can go on unchanged from another plan of its kind; else null.
    -- \`advanced\` is the same state as it is at \`now\`.
    create function spillway.v4_inherit(state spillway.v4_state, advanced spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8)
    returns spillway.v4_state language sql immutable as $$
      select case plan.kind when 4 then spillway.v4_sliding_window_inherit(state, advanced, old, plan, now) when 5 then spillway.v4_sliding_log_inherit(state, advanced, old, plan, now) when 6 then spillway.v4_concurrency_inherit(state, advanced, old, plan, now) when 9 then spillway.v4_sliding_window_inherit(state, advanced, old, plan, now) end $$;

    -- The instant at which a share ends that is lent at \`now\`.
    create function spillway.v4_lent_until(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$ select case plan.kind when 7 then spillway.v4_lent_token_bucket_lent_until(state, plan, now) when 8 then spillway.v4_lent_lent_until(state, plan, now) when 9 then spillway.v4_lent_lent_until(state, plan, now) end $$;

    -- How many numbers an entry has.
    create function spillway.v4_width(plan spillway.v4_plan) returns int
    language sql immutable as $$ select case plan.kind when 5 then spillway.v4_sliding_log_width() when 6 then spillway.v4_concurrency_width() when 7 then spillway.v4_lent_width() when 8 then spillway.v4_lent_width() when 9 then spillway.v4_lent_width() end $$;

    -- The entries that a reply needs, of what \`needs\` and \`leases\` describe: see execute.sql.
    create function spillway.v4_shown(state spillway.v4_state, plan spillway.v4_plan, needs float8[], leases float8[])
    returns float8[] language sql stable as $$ select case plan.kind when 5 then spillway.v4_sliding_log_shown(state, plan, needs, leases) when 6 then spillway.v4_concurrency_shown(state, plan, needs, leases) else spillway.v4_rate_shown(state, plan, needs, leases) end $$;

    -- The older entries of a long list, as a state would have them.
    create function spillway.v4_older_entries(state spillway.v4_state, plan spillway.v4_plan) returns float8[]
    language sql stable as $$ select case plan.kind when 5 then spillway.v4_sliding_log_older_entries(state) when 6 then spillway.v4_concurrency_older_entries(state) end $$;

    -- Gives entries of a state rows of their own.
    create function spillway.v4_move_out(older spillway.older, moved float8[], plan spillway.v4_plan) returns spillway.older
    language sql volatile as $$ select case plan.kind when 5 then spillway.v4_sliding_log_move_out(older, moved) when 6 then spillway.v4_concurrency_move_out(older, moved) end $$;
    -- Long lists: the entries of a sliding log, the leases of a concurrency limit. A row keeps the newest of
    -- them, and the older ones have rows of their own, so that what an ask costs does not grow with the list.
    --
    -- Functions of states only read these rows. Which of them count, the state says: what expires moves \`past\`,
    -- what is settled moves \`last\`, and released leases are named in \`removed\`. \`spill\` alone writes, when a
    -- state is written.

    -- The numbers that the list in a row may have, and how many of them stay when the rest is moved out: whole
    -- entries of two numbers, and whole leases of three. A row of more than 2 kB would be stored in parts.
    create function spillway.v4_most_numbers() returns int language sql immutable as $$ select 128 $$;
    create function spillway.v4_numbers_kept() returns int language sql immutable as $$ select 60 $$;

    -- The whole list in the state itself, for what depends on all of it or rewrites it.
    create function spillway.v4_gathered(state spillway.v4_state, plan spillway.v4_plan) returns spillway.v4_state language plpgsql stable as $$
    declare
      entries constant float8[] := state.entries;
    begin
      if (state.older).list is null then return state; end if;
      state.entries := spillway.v4_older_entries(state, plan) || entries;
      state.older := null;
      return state;
    end $$;

    -- Writes what a state says of its older entries, and makes one of a list that has become long. \`before\`
    -- is what the row has said of them.
    create function spillway.v4_spill(before spillway.older, state spillway.v4_state, plan spillway.v4_plan) returns spillway.v4_state
    language plpgsql as $$
    declare
      kept int;
    begin
      -- While several definitions are in use, each state has its whole list. Shares are few.
      kept := case when cardinality(state.entries) > spillway.v4_most_numbers() and state.others is null
        and not spillway.v4_lends_units(plan) then spillway.v4_numbers_kept() end;
      -- Positions have to stay exact: the list begins anew.
      if kept is not null and (state.older).last + state.used > spillway.v4_exact() and not spillway.v4_holds_leases(plan) then
        state := spillway.v4_gathered(state, plan);
      end if;
      if before.list is distinct from (state.older).list then
        delete from spillway.entries where list = before.list;
      elsif (state.older).removed is not null then
        delete from spillway.entries
        where ctid = any (array(select place from spillway.v4_entries_with(before.list, (state.older).removed)));
        state.older := row(before.list, (state.older).past, (state.older).last, null);
      end if;
      if kept is not null then
        state.older := spillway.v4_move_out(state.older, state.entries[:cardinality(state.entries) - kept], plan);
        state.entries := state.entries[cardinality(state.entries) - kept + 1:];
      end if;
      return state;
    end $$;
    -- What keeps a state meaningful when the clock goes back, or when its limit has changed.

    -- With all instants moved back.
    create function spillway.v4_move_back(state spillway.v4_state, plan spillway.v4_plan, ms float8) returns spillway.v4_state
    language plpgsql stable as $$
    begin
      state := spillway.v4_gathered(state, plan);
      state.since := state.since - ms;
      state.blocked_until := greatest(0, state.blocked_until - ms);
      if state.penalty is not null then state.penalty := spillway.v4_earlier_record(state.penalty, ms); end if;
      if state.entries is not null then
        state.entries := spillway.v4_earlier_entries(state.entries, spillway.v4_width(plan), ms, 'Infinity');
      end if;
      return state;
    end $$;

    -- A state that is ahead of the clock by a period or more goes back with it, by whole windows, to the one
    -- that begins next.
    create function spillway.v4_rewind(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language sql stable as $$
      select case when state.since - now < plan.period then state else spillway.v4_move_back(state, plan,
        floor((state.since - now) / plan.window_alignment) * plan.window_alignment) end $$;

    -- A state that is ahead of the clock by less stays there until the clock has caught up, unless it is fresh.
    create function spillway.v4_rewind_or_wait(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    begin
      state := spillway.v4_rewind(state, plan, now);
      if state.since > now and state.used = 0 and state.previous = 0 and state.blocked_until <= now then
        return spillway.v4_begin(state, plan, 0, 0, now);
      end if;
      return state;
    end $$;

    -- Ticks of one plan as ticks of another, rounded up.
    create function spillway.v4_converted(ticks float8, old spillway.v4_plan, plan spillway.v4_plan) returns float8
    language sql immutable as $$
      select case when old.ticks_per_unit = plan.ticks_per_unit then ticks else
        floor(ticks / old.ticks_per_unit) * plan.ticks_per_unit
          + least(plan.ticks_per_unit, ceil((ticks - floor(ticks / old.ticks_per_unit) * old.ticks_per_unit)
            / old.ticks_per_unit * plan.ticks_per_unit)) end $$;

    -- The most ticks of a plan that count as used where so many are under another one: with its debt.
    create function spillway.v4_most_kept(spent float8, old spillway.v4_plan, plan spillway.v4_plan) returns float8
    language sql immutable as $$
      select plan.capacity_ticks + least(plan.debt_ticks,
        spillway.v4_converted(greatest(0, spent - old.capacity_ticks), old, plan)) $$;

    -- Migrates a state from the plan it was written under. What was used stays used, as far as the new plan
    -- can hold it.
    create function spillway.v4_migrate(state spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    declare
      advanced constant spillway.v4_state := spillway.v4_advance(state, old, now);
      spent constant float8 := spillway.v4_spent(advanced, old, now);
      kept constant float8 := least(spillway.v4_converted(spent, old, plan), spillway.v4_most_kept(spent, old, plan));
      inherited spillway.v4_state;
    begin
      if spillway.v4_base_kind(plan) = spillway.v4_base_kind(old) then
        inherited := spillway.v4_inherit(state, advanced, old, plan, now);
        if inherited.used is not null then
          -- Shares belong to the definition under which they were lent; here they are used.
          if spillway.v4_lends_units(old) then inherited.entries := null; end if;
          return inherited;
        end if;
      end if;
      return spillway.v4_begin(state, plan, kept,
        least(kept, spillway.v4_converted(advanced.unsettled * spillway.v4_resolution(old), old, plan)),
        greatest(now, state.since));
    end $$;

    -- Makes the state of a row fit to be asked at \`now\` under a plan.
    create function spillway.v4_reconcile(state spillway.v4_state, definition text, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    begin
      if definition = '' then return spillway.v4_begin(state, plan, 0, 0, now); end if;
      if definition <> plan.definition then
        if not spillway.v4_is_override(state.others, plan.definition, now) then state.others := spillway.v4_without_mark(state.others); end if;
        state := spillway.v4_switch_to(state, definition, plan, now);
      end if;
      if state.since > now then state := spillway.v4_rewind_or_wait(state, plan, now); end if;
      return state;
    end $$;
    -- Overrides: for a time a budget has a definition of its own in place of its limit's; overrides.ts is the
    -- specification. Its state is kept under that definition, as after every change of definition, and a mark stands before
    -- those under others: a state of nothing, whose \`previous\` is the instant at which the override ends. It is kept for a
    -- period more, for a clock that goes back.
    --
    -- The mark's definition is a bucket that holds nothing, followed by the one in place. Older versions read no further,
    -- and take it for one more definition of the limit, under which nothing can be counted. So they keep the mark, decide
    -- by the limit, and give the state another definition; whoever knows marks then goes back to the one in place.

    create function spillway.v4_override_mark() returns text language sql immutable as $$
      select '1:0:1:1:0:0:0:1:-:Infinity:' $$;

    -- Whether there is a mark. It stays the first, for whatever is kept anew comes last.
    create function spillway.v4_is_marked(others spillway.other[]) returns boolean language sql immutable as $$
      select coalesce(starts_with((others[1]).definition, spillway.v4_override_mark()), false) $$;

    -- Whether the definition is one in place of the limit's.
    create function spillway.v4_is_override(others spillway.other[], definition text, now float8) returns boolean
    language sql immutable as $$
      select spillway.v4_is_marked(others) and (others[1]).definition = spillway.v4_override_mark() || definition
        and (others[1]).previous > now $$;

    create function spillway.v4_without_mark(others spillway.other[]) returns spillway.other[] language sql immutable as $$
      select case when spillway.v4_is_marked(others) then nullif(others[2:], '{}') else others end $$;

    -- What of a plan's debt can be reserved: \`startingInTime\` in rate-plan.ts is the specification.
    create function spillway.v4_reservable(plan spillway.v4_plan) returns float8 language sql immutable as $$
      select case when split_part(plan.definition, ':', 10) <> 'Infinity' then plan.debt_ticks
        else least(plan.debt_ticks, case plan.kind
          when 3 then floor(2147483647 / plan.period) * plan.rate
          when 2 then greatest(0, 2147483647 * plan.refill_per_ms + plan.ticks_per_unit - plan.capacity_ticks)
          else 2147483647 * plan.refill_per_ms end) end $$;

    -- The plan that applies to a row of the definition \`was\`: its override's, or that of the request. An override can't
    -- stand in for a limit that lends units or has become one of another kind; a bucket stands in for every rate.
    create function spillway.v4_applying(state spillway.v4_state, was text, plan spillway.v4_plan, now float8) returns spillway.v4_plan
    language plpgsql immutable as $$
    declare
      mark constant spillway.other := state.others[1];
      own spillway.v4_plan;
    begin
      if not spillway.v4_is_marked(state.others) or mark.previous <= now or plan.share is not null then return plan; end if;
      own := spillway.v4_plan_from(substr(mark.definition, length(spillway.v4_override_mark()) + 1));
      if own.kind <> plan.kind and (own.kind <> 1 or spillway.v4_holds_leases(plan)) then return plan; end if;
      -- Its windows stay where they are.
      own.anchor := case when was = own.definition then state.since else plan.anchor end;
      -- What an ask sets aside of the debt is right for the plan that it was made for.
      own.debt_ticks := spillway.v4_reservable(own) + plan.debt_ticks - spillway.v4_reservable(plan);
      return own;
    end $$;

    -- The definition of the record of those that found no place, a bucket that never refills: \`overflow.ts\` is the
    -- specification.
    create function spillway.v4_overflow() returns text language sql immutable as $$
      select '1:0:31622400000:1:0:1000000000:0:1:-:Infinity' $$;

    -- What decides what a definition counts once an override has ended: used, since, unsettled, previous and until when
    -- it is kept, of its own state. Where there is none, how many others are kept, and the same of the record of more.
    create function spillway.v4_kept_after(others spillway.other[], definition text, ends float8) returns text
    language sql immutable as $$
      select coalesce(string_agg(kept.numbers, '') filter (where kept.definition = $2),
        concat_ws(',', count(*) filter (where kept.definition <> spillway.v4_overflow()),
          string_agg(kept.numbers, '') filter (where kept.definition = spillway.v4_overflow())))
      from (
        select other.definition,
          concat_ws(',', used::bigint, since::bigint, unsettled::bigint, previous::bigint, until::bigint) as numbers
        from unnest(others[2:]) as other where until > ends
      ) as kept $$;

    -- A snapshot; under an override of a definition also its end, and what is kept then: see execute.sql.
    create function spillway.v4_override_snapshot(snapshot text, state spillway.v4_state, own spillway.v4_plan, definition text, now float8)
    returns text language plpgsql immutable as $$
    declare
      ends constant float8 := (state.others[1]).previous;
    begin
      if not spillway.v4_is_override(state.others, own.definition, now) then return snapshot; end if;
      return concat(snapshot, case when position(':' in snapshot) = 0 then ':' end, ':', ends::bigint, ':',
        spillway.v4_kept_after(state.others, definition, ends), ':', own.definition);
    end $$;

    -- Keeps the state under a limit's definition, beside one in its place, at least until an instant.
    create function spillway.v4_keep_until(others spillway.other[], plan spillway.v4_plan, until float8, now float8)
    returns spillway.other[] language plpgsql immutable as $$
    declare
      known int;
      kept spillway.other;
    begin
      for n in 1..coalesce(cardinality(others), 0) loop
        if (others[n]).definition = plan.definition then known := n; end if;
      end loop;
      if known is null then
        if spillway.v4_is_full(others) then return others; end if;
        return array_append(others, spillway.v4_as_other(
          spillway.v4_begin(row(0, 0, 0, 0, 0, null, null, null, null)::spillway.v4_state, plan, 0, 0, now), plan.definition, until));
      end if;
      kept := others[known];
      kept.until := greatest(kept.until, until);
      return array_append(others[:known - 1] || others[known + 1:], kept);
    end $$;

    -- Puts a definition in place of the limit's until an instant.
    create function spillway.v4_put_in_place(state spillway.v4_state, plan spillway.v4_plan, own spillway.v4_plan, until float8, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    begin
      if own.definition <> plan.definition then
        state := spillway.v4_switch_to(state, plan.definition, own, now);
        state.others := spillway.v4_keep_until(state.others, plan, least(spillway.v4_exact(), until + spillway.v4_memory(plan)), now);
      end if;
      state.others := row(spillway.v4_override_mark() || own.definition, 0, 0, until, 0, null, until + own.period)::spillway.other
        || state.others;
      return state;
    end $$;
    -- One limit under several definitions at once, as in a rolling deploy. Each definition has its own state.
    -- Units that are taken under one count under all of them, as far as they can hold them.

    -- The state under another definition. A block and the record of penalties are kept once, with the definition that was
    -- used last.
    create function spillway.v4_state_of(other spillway.other) returns spillway.v4_state language sql immutable as $$
      select row(other.used, other.since, other.previous, other.unsettled, 0, other.entries, null, null, null)::spillway.v4_state $$;

    create function spillway.v4_as_other(state spillway.v4_state, definition text, until float8) returns spillway.other
    language sql immutable as $$
      select row(definition, state.used, state.since, state.previous, state.unsettled, state.entries, until)
        ::spillway.other $$;

    -- Milliseconds after which nothing of a full state is left, at the latest.
    create function spillway.v4_memory(plan spillway.v4_plan) returns float8 language sql immutable as $$
      select plan.period * greatest(2,
        coalesce(ceil(plan.capacity_ticks / plan.ticks_per_unit / nullif(plan.rate, 0)), 2)) $$;

    -- The instant from which on nothing is left of a state that is not advanced.
    create function spillway.v4_runs_out_at(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language plpgsql stable as $$
    begin
      state := spillway.v4_advance(state, plan, now);
      return spillway.v4_fresh_at(state, plan, now);
    end $$;

    -- A state as one that is kept beside that of another plan: until nothing of it is left, and for as long as
    -- either plan can remember.
    create function spillway.v4_beside(state spillway.v4_state, plan spillway.v4_plan, other spillway.v4_plan, now float8)
    returns spillway.other language sql stable as $$
      select spillway.v4_as_other(state, plan.definition, least(spillway.v4_exact(),
        greatest(spillway.v4_runs_out_at(state, plan, now), now + greatest(spillway.v4_memory(plan), spillway.v4_memory(other))))) $$;

    -- Those that have not run out. They go back with the clock.
    create function spillway.v4_current_others(others spillway.other[], now float8) returns spillway.other[]
    language plpgsql stable as $$
    declare
      kept spillway.other[];
      other spillway.other;
      plan spillway.v4_plan;
      state spillway.v4_state;
    begin
      foreach other in array coalesce(others, '{}') loop
        plan := spillway.v4_plan_from(other.definition);
        state := spillway.v4_state_of(other);
        state := spillway.v4_rewind(state, plan, now);
        other := spillway.v4_as_other(state, other.definition, other.until - (other.since - state.since));
        if other.until > now then kept := array_append(kept, other); end if;
      end loop;
      return kept;
    end $$;

    -- Whether no more find a place, beside the record and the mark of an override.
    create function spillway.v4_is_full(others spillway.other[]) returns boolean language sql immutable as $$
      select count(*) >= 7 from unnest(others) as other
      where other.definition <> spillway.v4_overflow() and not starts_with(other.definition, spillway.v4_override_mark()) $$;

    -- Adds a state that finds no place to the record. Units and debt are rounded up to whole units.
    create function spillway.v4_with_overflow(others spillway.other[], state spillway.v4_state, plan spillway.v4_plan, now float8)
    returns spillway.other[] language plpgsql stable as $$
    declare
      advanced constant spillway.v4_state := spillway.v4_advance(state, plan, now);
      spent constant float8 := spillway.v4_spent(advanced, plan, now);
      record spillway.other := row(spillway.v4_overflow(), 0, now, 0, 0, null, 0);
      kept spillway.other[];
      other spillway.other;
    begin
      foreach other in array others loop
        if other.definition = spillway.v4_overflow() then record := other; else kept := array_append(kept, other); end if;
      end loop;
      record.used := greatest(record.used, ceil(spent / plan.ticks_per_unit));
      record.previous := greatest(record.previous, ceil((spent - plan.capacity_ticks) / plan.ticks_per_unit));
      record.until := greatest(record.until, least(spillway.v4_exact(), spillway.v4_fresh_at(advanced, plan, now)));
      return array_append(kept, record);
    end $$;

    -- The states beside that of a definition which takes over: that of the one before, where there is a place.
    create function spillway.v4_keeping(
      others spillway.other[], state spillway.v4_state, old spillway.v4_plan, plan spillway.v4_plan, now float8
    ) returns spillway.other[] language plpgsql stable as $$
    begin
      -- One of which nothing is left equals none: another store may have forgotten it.
      if spillway.v4_runs_out_at(state, old, now) <= now then return others; end if;
      if spillway.v4_is_full(others) then return spillway.v4_with_overflow(others, state, old, now); end if;
      return others || spillway.v4_current_others(array[spillway.v4_beside(state, old, plan, now)], now);
    end $$;

    -- Raises what is used to what the record holds, as far as the definition goes.
    create function spillway.v4_count_overflow(state spillway.v4_state, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    declare
      advanced constant spillway.v4_state := spillway.v4_advance(state, plan, now);
      spent constant float8 := spillway.v4_spent(advanced, plan, now);
      record spillway.other;
      ticks float8;
    begin
      select * into record from unnest(state.others) as other where other.definition = spillway.v4_overflow();
      if not found then return state; end if;
      ticks := least(record.used * plan.ticks_per_unit,
        plan.capacity_ticks + least(record.previous * plan.ticks_per_unit, plan.debt_ticks));
      if ticks <= spent then return state; end if;
      -- Beside the leases in flight, which go on: units held by a lease of nobody's.
      if spillway.v4_holds_leases(plan) then return spillway.v4_charge(advanced, plan, ticks - spent, now, now); end if;
      return spillway.v4_begin(state, plan, ticks, advanced.unsettled * spillway.v4_resolution(plan), greatest(now, state.since));
    end $$;

    -- Switches from the definition of a row to another one. A definition that is new to the budget takes over
    -- its usage. One that is in use goes on from its own state. The state from before is kept beside it.
    create function spillway.v4_switch_to(state spillway.v4_state, definition text, plan spillway.v4_plan, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    declare
      old constant spillway.v4_plan := spillway.v4_plan_from(definition);
      kept spillway.other[] := spillway.v4_current_others(state.others, now);
      known int;
      after spillway.v4_state;
    begin
      state := spillway.v4_gathered(state, old);
      for n in 1..coalesce(cardinality(kept), 0) loop
        if (kept[n]).definition = plan.definition then known := n; end if;
      end loop;
      if known is null then
        after := spillway.v4_migrate(state, old, plan, now);
        after.others := spillway.v4_keeping(kept, state, old, plan, now);
        return spillway.v4_count_overflow(after, plan, now);
      end if;
      -- A block goes back with the clock as the state does under which it was used last.
      state := spillway.v4_rewind(state, old, now);
      after := spillway.v4_state_of(kept[known]);
      after.blocked_until := state.blocked_until;
      after.penalty := state.penalty;
      after.others := array_append(kept[:known - 1] || kept[known + 1:], spillway.v4_beside(state, old, plan, now));
      return after;
    end $$;

    -- Counts units that were taken under one plan, under which so much is spent now, under all others.
    create function spillway.v4_share(
      others spillway.other[], plan spillway.v4_plan, spent float8, units float8, lease float8, now float8
    ) returns spillway.other[] language plpgsql stable as $$
    declare
      kept spillway.other[];
      other spillway.other;
      its_plan spillway.v4_plan;
      state spillway.v4_state;
      fitting float8;
    begin
      foreach other in array coalesce(spillway.v4_current_others(others, now), '{}') loop
        its_plan := spillway.v4_plan_from(other.definition);
        state := spillway.v4_state_of(other);
        state := spillway.v4_advance(state, its_plan, now);
        -- A lease expires after its time, whatever else is in flight.
        fitting := case when spillway.v4_holds_leases(its_plan) and lease <> 0 then units else least(units, floor(
          (spillway.v4_most_kept(spent, plan, its_plan) - spillway.v4_spent(state, its_plan, now)) / its_plan.ticks_per_unit)) end;
        if fitting > 0 then
          -- What no lease has taken is held by one that belongs to nobody, another one each millisecond.
          state := spillway.v4_charge(state, its_plan, fitting, case when lease = 0 then now else lease end, now);
          other := spillway.v4_as_other(state, other.definition, other.until);
        end if;
        kept := array_append(kept, other);
      end loop;
      return kept;
    end $$;

    -- Releases a lease under all other definitions, or renews it there, each for its own time.
    create function spillway.v4_share_lease(
      others spillway.other[], renews boolean, lease float8, units float8, now float8
    ) returns spillway.other[] language plpgsql stable as $$
    declare
      kept spillway.other[];
      other spillway.other;
      plan spillway.v4_plan;
      state spillway.v4_state;
      released spillway.v4_state;
    begin
      foreach other in array others loop
        plan := spillway.v4_plan_from(other.definition);
        if spillway.v4_holds_leases(plan) then
          state := spillway.v4_state_of(other);
          state := spillway.v4_advance(state, plan, now);
          released := spillway.v4_release(state, lease, units);
          -- What has expired by now has, though the lease is not held here, and wherever the clock goes back to.
          if released.used is not null then state := released; end if;
          -- A lease that has expired here, where its time is shorter, is in flight again.
          if renews then state := spillway.v4_charge(state, plan, units, lease, now); end if;
          other := spillway.v4_as_other(state, other.definition, other.until);
        end if;
        kept := array_append(kept, other);
      end loop;
      return kept;
    end $$;
    -- The steps on shares of states that are advanced: what their holders say of them, and what is lent.

    -- The most shares of a key that are out at once: then nothing is lent, and asks go to the store.
    create function spillway.v4_most_shares() returns int language sql immutable as $$ select 256 $$;

    -- How many counts of \`used\` a unit is.
    create function spillway.v4_counts_per_unit(plan spillway.v4_plan) returns float8 language sql immutable as $$
      select plan.ticks_per_unit / spillway.v4_resolution(plan) $$;

    -- Notes what a holder says of its shares: an id and units for each of \`kept\` that it goes on holding, then for
    -- each that it gives back. What is left only ever becomes less, and a share comes back once.
    create function spillway.v4_report(state spillway.v4_state, plan spillway.v4_plan, said float8[], kept float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      counts constant float8 := spillway.v4_counts_per_unit(plan);
      place int;
      known float8;
      unused float8;
    begin
      for at in 1..cardinality(said) by 2 loop
        place := spillway.v4_lease_units_at(state.entries, said[at]);
        continue when place is null;
        known := state.entries[place];
        unused := least(known, said[at + 1]);
        if at > 2 * kept then state.used := state.used - unused * counts; end if;
        if at > 2 * kept or unused = 0 then
          state.entries := state.entries[:place - 2] || state.entries[place + 2:];
        else
          state.entries[place] := unused;
        end if;
        -- What a holder has used may be settled from now on.
        state.unsettled := state.unsettled + (known - unused) * counts;
      end loop;
      return state;
    end $$;

    -- The most units that may be lent: half of those left, and never more than half of the capacity at once.
    create function spillway.v4_lendable(state spillway.v4_state, plan spillway.v4_plan, now float8) returns float8
    language sql immutable as $$
      select case when coalesce(cardinality(state.entries), 0) >= 3 * spillway.v4_most_shares() then 0
        else least(ceil(floor((plan.capacity_ticks - spillway.v4_spent(state, plan, now)) / plan.ticks_per_unit) / 2),
          floor(plan.capacity_ticks / plan.ticks_per_unit / 2) - spillway.v4_units_lent(state)) end $$;

    -- Lends units; those of an id that is listed are added to it.
    create function spillway.v4_lend(state spillway.v4_state, plan spillway.v4_plan, id float8, units float8, now float8) returns spillway.v4_state
    language plpgsql stable as $$
    declare
      entries float8[] := state.entries;
      place constant int := spillway.v4_lease_units_at(entries, id);
      -- Where \`share\` has become shorter, the list is kept in order: later is safe.
      ends constant float8 := greatest(spillway.v4_lent_until(state, plan, now), entries[cardinality(entries) - 2]);
      listed constant float8 := coalesce(entries[place], 0) + units;
    begin
      if place is not null then entries := entries[:place - 2] || entries[place + 2:]; end if;
      state.entries := entries || array[ends, listed, id];
      state.used := state.used + units * spillway.v4_counts_per_unit(plan);
      if state.others is not null then
        state.others := spillway.v4_share(state.others, plan, spillway.v4_spent(state, plan, now), units, 0, now);
      end if;
      return state;
    end $$;

    -- Carries out a draw: notes what a holder says of its shares, takes what is asked for, and lends. Where the ask
    -- is refused nothing is lent. \`step\` has the fields of store/port/protocol.ts.
    create function spillway.v4_draw(
      inout state spillway.v4_state, plan spillway.v4_plan, step float8[], said float8[], now float8, out charged bigint
    ) language plpgsql stable as $$
    declare
      units float8;
    begin
      charged := 0;
      if spillway.v4_lends_units(plan) then state := spillway.v4_report(state, plan, said, step[6]); end if;
      if spillway.v4_admits(state, plan, step[2], step[3], 0, now) then
        if step[2] > 0 then state := spillway.v4_take(state, plan, step[2], 0, now); end if;
        units := case when spillway.v4_lends_units(plan) then greatest(0, least(step[5], spillway.v4_lendable(state, plan, now)))
          else 0 end;
        if units > 0 then state := spillway.v4_lend(state, plan, step[4], units, now); end if;
        charged := 1 + units;
      end if;
      -- A state that has become fresh need not wait for a clock that is behind.
      if state.since > now then state := spillway.v4_rewind_or_wait(state, plan, now); end if;
    end $$;

    -- Forgets what was used, but for shares that are out: their holders go on using them.
    create function spillway.v4_only_lent(state spillway.v4_state, plan spillway.v4_plan) returns spillway.v4_state language plpgsql immutable as $$
    begin
      state.used := spillway.v4_units_lent(state) * spillway.v4_counts_per_unit(plan);
      state.previous := 0;
      state.unsettled := 0;
      return state;
    end $$;

    -- Whether units of a state are lent.
    create function spillway.v4_is_lent(state spillway.v4_state, plan spillway.v4_plan) returns boolean language sql immutable as $$
      select spillway.v4_lends_units(plan) and coalesce(cardinality(state.entries), 0) > 0 $$;

    -- Those under other definitions of which units are lent, without what was used; and an override, which a reset does
    -- not end.
    create function spillway.v4_lent_others(others spillway.other[], now float8) returns spillway.other[]
    language plpgsql stable as $$
    declare
      kept spillway.other[];
      other spillway.other;
      plan spillway.v4_plan;
      state spillway.v4_state;
    begin
      if spillway.v4_is_marked(others) then kept := others[:1]; end if;
      foreach other in array others loop
        plan := spillway.v4_plan_from(other.definition);
        continue when other.until <= now or not spillway.v4_lends_units(plan);
        state := spillway.v4_state_of(other);
        state := spillway.v4_advance(state, plan, now);
        if spillway.v4_is_lent(state, plan) then
          state := spillway.v4_only_lent(state, plan);
          kept := array_append(kept, spillway.v4_as_other(state, other.definition, other.until));
        end if;
      end loop;
      return kept;
    end $$;
    -- Refuses everything for \`ms\`, from \`now\` or from where time goes on for the state. The usage is kept as it is
    -- at that instant: a clock that goes back takes both with it. The start of a window must not move, and
    -- leases expire by the instant at which the newest was taken.
    create function spillway.v4_block(state spillway.v4_state, plan spillway.v4_plan, ms float8, now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      instant constant float8 := greatest(state.since, now);
    begin
      if plan.window_alignment = 1 and not (spillway.v4_holds_leases(plan) and state.used > 0) then
        state.since := instant;
      end if;
      state.blocked_until := instant + ms;
      return state;
    end $$;

    -- The steps on one budget that take nothing: see store/port/protocol.ts.
    create function spillway.v4_apply(
      state spillway.v4_state, plan spillway.v4_plan, step float8, one float8, other float8, now float8
    ) returns spillway.v4_state language plpgsql stable as $$
    declare
      after spillway.v4_state := state;
    begin
      case step
        when -2 then
          after := spillway.v4_settle(state, plan, one, other, now);
          -- What turned out to be used beyond an estimate counts everywhere.
          if state.others is not null and other > one and not spillway.v4_holds_leases(plan) then
            after.others := spillway.v4_share(after.others, plan, spillway.v4_spent(after, plan, now), other - one, 0, now);
          end if;
        when -3 then
          if state.others is not null then after.others := spillway.v4_lent_others(state.others, now); end if;
          if after.blocked_until <= now then after.blocked_until := 0; end if;
          if after.penalty is not null then after.penalty := spillway.v4_without_refusals(after.penalty, now); end if;
          after := case when spillway.v4_is_lent(after, plan) then spillway.v4_only_lent(after, plan)
            else spillway.v4_begin(after, plan, 0, 0, now) end;
        when -4 then
          after := spillway.v4_block(state, plan, one, now);
          after.penalty := spillway.v4_without_penalty(after.penalty);
        when -5 then
          after.blocked_until := 0;
          after.penalty := null;
        when -6 then
          after := spillway.v4_release(state, one, other);
          if after.used is null then after := state; end if;
          if state.others is not null then
            after.others := spillway.v4_share_lease(state.others, false, one, other, now);
          end if;
        when -7 then
          after := spillway.v4_renew(state, plan, one, other, now);
          if after.used is null then after := state;
          elsif state.others is not null then
            after.others := spillway.v4_share_lease(state.others, true, one, other, now);
          end if;
      end case;
      -- A state that has become fresh need not wait for a clock that is behind.
      if after.since > now then after := spillway.v4_rewind_or_wait(after, plan, now); end if;
      return after;
    end $$;

    -- How many numbers a step has that changes one state.
    create function spillway.v4_step_width(steps float8[], at int) returns int language sql immutable as $$
      select 1 + case steps[at] when -1 then 1 when -2 then 3 when -3 then 1 when -4 then 2 when -5 then 1 when -6 then 3 when -7 then 3 when -12 then 3 when -13 then 5 when -11 then 7 end
        + case when steps[at] = -11 then 2 * (steps[at + 6] + steps[at + 7])::int else 0 end $$;

    -- The leases that steps name of a budget.
    create function spillway.v4_named_leases(steps float8[], budget int) returns float8[]
    language plpgsql immutable as $$
    declare
      next int := 1;
      step float8;
      named float8[];
    begin
      while next <= cardinality(steps) loop
        step := steps[next];
        if step > 0 then
          next := next + 1;
        elsif step < -1 then
          if steps[next + 1] = budget and step in (-6, -7) then
            named := array_append(named, steps[next + 2]);
          end if;
          next := next + spillway.v4_step_width(steps, next);
        else
          for ask in next + 2..next + 1 + 5 * steps[next + 1]::int by 5 loop
            if steps[ask + 0] = budget then
              named := array_append(named, steps[ask + 4]);
            end if;
          end loop;
          next := next + 2 + 5 * steps[next + 1]::int;
        end if;
      end loop;
      return named;
    end $$;

    -- Whether a take is admitted. A count of 0 asks for one unit.
    create function spillway.v4_admits(
      state spillway.v4_state, plan spillway.v4_plan, units float8, reserve float8, headroom float8, now float8
    ) returns boolean language sql immutable as $$
      select spillway.v4_fits(state.blocked_until, spillway.v4_spent(state, plan, now),
        greatest(1, units) * plan.ticks_per_unit + headroom,
        plan.capacity_ticks + reserve * plan.debt_ticks, now) $$;

    -- Takes units that fit, for a concurrency limit as a lease.
    create function spillway.v4_take(state spillway.v4_state, plan spillway.v4_plan, units float8, lease float8, now float8)
    returns spillway.v4_state language plpgsql stable as $$
    begin
      state := spillway.v4_charge(state, plan, units, lease, now);
      if state.others is not null then
        state.others := spillway.v4_share(state.others, plan, spillway.v4_spent(state, plan, now), units, lease, now);
      end if;
      return state;
    end $$;
    -- Penalties: a budget that is refused again and again is blocked, for a time that doubles; penalties.ts and
    -- penalty-record.ts are the specification. A penalty is after, within, block and most of its step: see
    -- store/port/protocol.ts. A record is refusals, until, level and forgotten_at.
    --
    -- A row keeps the record as the \`entries\` of one of its others, so that no fast statement meets it: until it says nothing,
    -- and a period more, for a clock that goes back. The definition of that one is a bucket that holds nothing. Older versions
    -- read no further, and take it for one more definition of the limit, under which nothing can be counted: they keep it.

    create function spillway.v4_record_mark() returns text language sql immutable as $$
      select '1:0:1:1:0:0:0:1:-:Infinity/penalty' $$;

    create function spillway.v4_record_in(others spillway.other[]) returns float8[] language sql immutable as $$
      select other.entries from unnest(others) as other where other.definition = spillway.v4_record_mark() $$;

    create function spillway.v4_without_record(others spillway.other[]) returns spillway.other[] language sql immutable as $$
      select array_agg(others[place] order by place) from generate_subscripts(others, 1) as place
      where (others[place]).definition <> spillway.v4_record_mark() $$;

    -- A state with its record among its others, as a row has it. By \`since\`, nothing of a record comes back if the
    -- state goes back with the clock.
    create function spillway.v4_with_record(state spillway.v4_state, plan spillway.v4_plan) returns spillway.v4_state language plpgsql immutable as $$
    declare
      until constant float8 := greatest(state.penalty[2], state.penalty[4]) + plan.period;
    begin
      if until > state.since then
        state.others := array_append(state.others,
          row(spillway.v4_record_mark(), 0, 0, 0, 0, state.penalty, until)::spillway.other);
      end if;
      return state;
    end $$;

    create function spillway.v4_earlier_record(record float8[], ms float8) returns float8[] language sql immutable as $$
      select array[record[1], greatest(0, record[2] - ms), record[3], greatest(0, record[4] - ms)] $$;

    -- A record without its refusals and what has ended; null where nothing is left.
    create function spillway.v4_without_refusals(record float8[], now float8) returns float8[] language sql immutable as $$
      select nullif(array[0, case when record[1] = 0 and record[2] > now then record[2] else 0 end]
        || case when record[4] > now then record[3:4] else '{0,0}' end, '{0,0,0,0}') $$;

    -- A record whose penalty has ended early, if there is one.
    create function spillway.v4_without_penalty(record float8[]) returns float8[] language sql immutable as $$
      select case when record[1] = 0 then array[0, 0] || record[3:4] else record end $$;

    -- A record after one more refusal, without what has ended.
    create function spillway.v4_after_refusal(record float8[], within float8, now float8) returns float8[]
    language sql immutable as $$
      select case when record[1] > 0 and record[2] > now then array[record[1] + 1, record[2]] else array[1, now + within] end
        || case when record[4] > now then record[3:4] else '{0,0}' end $$;

    -- Counts a refusal on a state, which blocks it if it is one too many. Doubled 35 times, a millisecond is longer than
    -- the longest block.
    create function spillway.v4_penalize(state spillway.v4_state, plan spillway.v4_plan, penalty float8[], now float8) returns spillway.v4_state
    language plpgsql immutable as $$
    declare
      record constant float8[] := spillway.v4_after_refusal(state.penalty, penalty[2], now);
    begin
      state.penalty := record;
      if record[1] < penalty[1] then return state; end if;
      state := spillway.v4_block(state, plan, least(penalty[3] * 2 ^ record[3], penalty[4]), now);
      state.penalty := array[0, state.blocked_until, least(record[3] + 1, 35), state.blocked_until + penalty[4]];
      return state;
    end $$;

    -- Counts the refusals of a take: for each budget that refuses by itself, unless it is blocked. The rest is as for
    -- \`execute_steps\`.
    create function spillway.v4_count_refusals(
      plans spillway.v4_plan[], stored spillway.v4_state[], inout states spillway.v4_state[], inout written spillway.v4_state[],
      inout has_changed boolean, steps float8[], penalties int[], asks float8[], now float8
    ) language plpgsql stable as $$
    declare
      b int;
      penalty float8[];
      counted spillway.v4_state;
      before spillway.v4_state;
    begin
      for ask in 1..cardinality(asks) by 5 loop
        b := asks[ask];
        penalty := steps[penalties[b] + 2:penalties[b] + 5];
        continue when (states[b]).blocked_until > now or coalesce(penalty[1], 0) = 0
          or spillway.v4_all_admit(states, plans, asks[ask:ask + 5 - 1], now);
        counted := spillway.v4_penalize(states[b], plans[b], penalty, now);
        -- To count does not advance a row: a clock that goes back finds it as it was.
        before := coalesce(written[b], stored[b]);
        before.penalty := counted.penalty;
        written[b] := case when counted.blocked_until > now then counted else before end;
        states[b] := counted;
        has_changed := true;
      end loop;
    end $$;
    -- Rows, from the table and back.

    -- Waits for a locked row no longer than that; null to wait as long as the transaction does.
    create function spillway.v4_wait_at_most(lock_timeout int) returns text language sql volatile as $$
      select case when lock_timeout is not null then set_config('lock_timeout', lock_timeout::text, true) end $$;

    -- Locks the rows of budgets, and makes those that are missing. One pass in one order for everybody: whoever
    -- holds a row never waits for one that comes before it.
    create function spillway.v4_lock(ids text[]) returns void language plpgsql as $$
    begin
      insert into spillway.budgets
        (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
      select id, '', 0, 0, 0, 0, 0, 0 from unnest(ids) as id order by id collate "C"
      on conflict (id) do update set used = excluded.used where false;
    end $$;

    -- Locks those that there are, in the same order.
    create function spillway.v4_lock_present(ids text[]) returns void language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      perform from spillway.budgets as b where b.id = any (ids) order by b.id for no key update;
    end $$;

    -- Reads the rows of budgets, in the order of the ids. One that is missing has the definition ''. With its limit
    -- the inner query can't be joined in any way but by one search for each id, whatever the table's statistics say.
    create function spillway.v4_read(ids text[], out definitions text[], out states spillway.v4_state[]) language plpgsql as $$
    begin
      select array_agg(coalesce(found.definition, '')), array_agg(case when found.definition is null
        then row(0, 0, 0, 0, 0, null, null, null, null)::spillway.v4_state
        else row(found.used, found.since, found.previous, found.unsettled, found.blocked_until,
          found.entries, case when found.record is null then found.others else spillway.v4_without_record(found.others) end,
          found.older, found.record)::spillway.v4_state end)
      into definitions, states
      from (
        select budget.*, case when budget.others is not null then spillway.v4_record_in(budget.others) end as record
        from unnest(ids) with ordinality as asked(id, place)
        left join lateral (select * from spillway.budgets where budgets.id = asked.id limit 2) as budget on true
        order by place
      ) as found;
      -- At REPEATABLE READ and above, a row that was swept since the transaction began is seen beside the one
      -- that was made in its place: two rows.
      if cardinality(states) <> cardinality(ids) then
        raise serialization_failure using message = 'a row was swept since the transaction began';
      end if;
    end $$;

    -- Writes the states that are not null, and what they say of their older entries. \`before\` is what the rows have
    -- held; \`advanced\` are the states as they are at \`now\`.
    create function spillway.v4_write(
      ids text[], plans spillway.v4_plan[], before spillway.v4_state[], states spillway.v4_state[], advanced spillway.v4_state[], now float8
    ) returns void language plpgsql as $$
    begin
      for b in 1..cardinality(ids) loop
        continue when (states[b]).used is null;
        if (states[b]).entries is not null or ((before[b]).older).list is not null then
          states[b] := spillway.v4_spill((before[b]).older, states[b], plans[b]);
        end if;
        if (states[b]).penalty is not null then states[b] := spillway.v4_with_record(states[b], plans[b]); end if;
      end loop;
      insert into spillway.budgets (id, definition, used, since, previous, unsettled, blocked_until, fresh_at,
        entries, others, older)
      select ids[n], (plans[n]).definition, state.used, state.since, state.previous, state.unsettled,
        state.blocked_until, greatest(state.blocked_until, spillway.v4_fresh_at(advanced[n], plans[n], now),
          (select max(other.until) from unnest(state.others) as other)), state.entries, state.others, state.older
      from unnest(states) with ordinality as state(used, since, previous, unsettled, blocked_until,
        entries, others, older, penalty, n)
      where state.used is not null
      on conflict (id) do update set definition = excluded.definition, used = excluded.used,
        since = excluded.since, previous = excluded.previous, unsettled = excluded.unsettled,
        blocked_until = excluded.blocked_until, fresh_at = excluded.fresh_at, entries = excluded.entries,
        others = excluded.others, older = excluded.older;
    end $$;

    -- A state as a reply describes it: see execute.sql.
    create function spillway.v4_snapshot(state spillway.v4_state, plan spillway.v4_plan, needs float8[], leases float8[]) returns text
    language sql stable as $$
      select state.used::bigint || ',' || state.since::bigint
        || case when state.previous = 0 and state.blocked_until = 0 and state.unsettled = state.used
          and state.penalty is null then ''
          else ',' || state.unsettled::bigint || ',' || state.previous::bigint || ','
            || state.blocked_until::bigint || coalesce(',' || array_to_string(state.penalty::bigint[], ','), '') end
        || case when state.entries is null then '' else coalesce(':' || array_to_string(
          nullif(spillway.v4_shown(state, plan, needs, leases), '{}')::bigint[], ','), '') end $$;
    -- Transactions of the caller's. \`xact\` is '' outside of them; inside the transaction's id, or '0' before that is known.
    --
    -- A connection goes back to its pool when its transaction is over. What is asked after that, as on a lease that was
    -- taken in it, arrives in whichever transaction the connection is used for then.

    -- What a reply ends with: the id of the caller's transaction. Null where this is another one.
    create function spillway.v4_reply_end(xact text) returns text language sql volatile as $$
      select case when xact = '' then ''
        when xact = '0' or xact = pg_current_xact_id_if_assigned()::text then ' ' || pg_current_xact_id() end $$;

    -- The same for what only reads, which gives a transaction no id.
    create function spillway.v4_read_reply_end(xact text) returns text language sql stable as $$
      select case when xact = '' then '' when xact = '0' or xact = pg_current_xact_id_if_assigned()::text
        then ' ' || coalesce(pg_current_xact_id_if_assigned()::text, '0') end $$;
    -- The asks of a take, one after the other: from one budget, or from several if all of them have what is asked.
    create function spillway.v4_asks_at(steps float8[], at int) returns float8[] language sql immutable as $$
      select case when steps[at] > 0 then array[steps[at], 1, 0, 0, 0]
        else steps[at + 2:at + 1 + 5 * steps[at + 1]::int] end $$;

    -- Whether each budget has what is asked of it.
    create function spillway.v4_all_admit(states spillway.v4_state[], plans spillway.v4_plan[], asks float8[], now float8) returns boolean
    language plpgsql immutable as $$
    declare
      b int;
    begin
      for ask in 1..cardinality(asks) by 5 loop
        b := asks[ask];
        if not spillway.v4_admits(states[b], plans[b], asks[ask + 1], asks[ask + 2],
          asks[ask + 3], now) then return false; end if;
      end loop;
      return true;
    end $$;

    -- Executes a step of one budget that is no take. \`written\` is null where nothing changes.
    create function spillway.v4_change(
      plan spillway.v4_plan, stored spillway.v4_state, inout state spillway.v4_state, inout written spillway.v4_state, steps float8[], at int, now float8,
      out charged bigint
    ) language plpgsql stable as $$
    declare
      step constant float8 := steps[at];
      said float8[];
      drawn record;
    begin
      charged := 0;
      if step = -11 then
        said := steps[at + 1 + case step when -1 then 1 when -2 then 3 when -3 then 1 when -4 then 2 when -5 then 1 when -6 then 3 when -7 then 3 when -12 then 3 when -13 then 5 when -11 then 7 end:at + spillway.v4_step_width(steps, at) - 1];
        drawn := spillway.v4_draw(state, plan, steps[at + 1:at + case step when -1 then 1 when -2 then 3 when -3 then 1 when -4 then 2 when -5 then 1 when -6 then 3 when -7 then 3 when -12 then 3 when -13 then 5 when -11 then 7 end], said, now);
        -- What is refused, and says nothing, changes nothing.
        if drawn.charged = 0 and said = '{}' then return; end if;
        charged := drawn.charged;
        state := drawn.state;
        written := state;
        return;
      end if;
      state := spillway.v4_apply(state, plan, step, steps[at + 2], steps[at + 3], now);
      -- To end a block does not advance a row: a clock that goes back finds it as it was.
      written := case when step <> -5 then state
        else spillway.v4_apply(coalesce(written, stored), plan, step, 0, 0, now) end;
    end $$;

    -- Executes steps on states that are advanced to \`now\`.
    --
    --   stored   the states as they are in their rows, but reconciled
    --   states   the same, advanced
    --   written  those of them that are to be written; null where nothing changes
    create function spillway.v4_execute_steps(
      plans spillway.v4_plan[], stored spillway.v4_state[], inout states spillway.v4_state[], inout written spillway.v4_state[],
      inout has_changed boolean, steps float8[], now float8, out charged bigint
    ) language plpgsql stable as $$
    declare
      next int := 1;
      at int;
      step float8;
      asks float8[];
      b int;
      changed record;
      -- Where the penalty of each budget is among the steps.
      penalties int[];
    begin
      charged := 0;
      while next <= cardinality(steps) loop
        at := next;
        step := steps[at];
        if step < -1 then
          next := at + spillway.v4_step_width(steps, at);
          b := steps[at + 1];
          if step = -13 then
            penalties[b] := at;
            continue;
          end if;
          changed := spillway.v4_change(plans[b], stored[b], states[b], written[b], steps, at, now);
          states[b] := changed.state;
          written[b] := changed.written;
          charged := charged + changed.charged;
          has_changed := has_changed or (written[b]).used is not null;
          continue;
        end if;

        asks := spillway.v4_asks_at(steps, at);
        next := at + case when step > 0 then 1 else 2 + cardinality(asks) end;
        if spillway.v4_all_admit(states, plans, asks, now) then
          charged := charged + cardinality(asks) / 5;
          for ask in 1..cardinality(asks) by 5 loop
            continue when asks[ask + 1] = 0;
            b := asks[ask];
            states[b] := spillway.v4_take(states[b], plans[b], asks[ask + 1], asks[ask + 4], now);
            written[b] := states[b];
            has_changed := true;
          end loop;
        elsif penalties is not null then
          select * into states, written, has_changed
          from spillway.v4_count_refusals(plans, stored, states, written, has_changed, steps, penalties, asks, now);
        end if;
      end loop;
    end $$;
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
    -- than \`xact\` nothing is done, and the reply is "over".
    create function spillway.v4_execute(
      ids text[], definitions text[], owners int[], anchors float8[], needs float8[], steps float8[], at float8,
      lock_timeout int, xact text
    ) returns text language plpgsql
    -- A plan for each call would cost more than the call. One that was made while a table was small must not read all
    -- of it when it is large. Nothing of the caller's search path is used.
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
    declare
      plans spillway.v4_plan[] := spillway.v4_plans(definitions, owners, anchors);
      setting constant text := spillway.v4_wait_at_most(lock_timeout);
      reply_end constant text := spillway.v4_reply_end(xact);
      now float8;
      rows record;
      was text;
      stored spillway.v4_state[];
      states spillway.v4_state[];
      need float8[];
      leases float8[];
      snapshots text[];
      written spillway.v4_state[] := array_fill(null::spillway.v4_state, array[cardinality(ids)]);
      has_changed boolean := false;
      executed record;
    begin
      if reply_end is null then return 'over'; end if;
      perform spillway.v4_lock(ids);
      -- Read once all rows are locked: no state is of a later instant, unless a clock went back.
      now := spillway.v4_clock(at);
      rows := spillway.v4_read(ids);
      stored := rows.states;
      for b in 1..cardinality(ids) loop
        was := rows.definitions[b];
        if (stored[b]).others is not null then plans[b] := spillway.v4_applying(stored[b], was, plans[b], now); end if;
        if was <> (plans[b]).definition or (stored[b]).since > now then
          stored[b] := spillway.v4_reconcile(stored[b], was, plans[b], now);
          -- Written even without a step: what is migrated at this instant must not be migrated again.
          has_changed := has_changed or was <> '';
          written[b] := case when was <> '' then stored[b] end;
        end if;
        states[b] := spillway.v4_advance(stored[b], plans[b], now);
        if (states[b]).entries is not null then
          need := needs[4 * b - 3:4 * b];
          leases := case when ((states[b]).older).list is not null then spillway.v4_named_leases(steps, b) end;
        end if;
        snapshots[b] := spillway.v4_snapshot(states[b], plans[b], need, leases);
        if (states[b]).others is not null then
          snapshots[b] := spillway.v4_override_snapshot(snapshots[b], states[b], plans[b], definitions[owners[b]], now);
        end if;
      end loop;
      executed := spillway.v4_execute_steps(plans, stored, states, written, has_changed, steps, now);
      if executed.has_changed then
        perform spillway.v4_write(ids, plans, rows.states, executed.written, executed.states, now);
      end if;
      return now::bigint || ' ' || executed.charged || ' ' || array_to_string(snapshots, ';') || reply_end;
    end $$;
    -- Puts a definition in place of that of a budget's limit for \`ms\`, or ends that with 0. Replaces an earlier one.
    --
    -- \`definitions\` are the limit's and the one in its place, \`anchors\` instants at which a window begins under each. The
    -- rest is as for \`execute\`, and so is the reply, but for the state: no answer depends on it, so it is a fresh one.
    create function spillway.v4_override(
      ids text[], definitions text[], anchors float8[], ms float8, at float8, lock_timeout int, xact text
    ) returns text language plpgsql
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
    declare
      plans constant spillway.v4_plan[] := spillway.v4_plans(definitions, '{1,2}', anchors);
      setting constant text := spillway.v4_wait_at_most(lock_timeout);
      reply_end constant text := spillway.v4_reply_end(xact);
      now float8;
      rows record;
      state spillway.v4_state;
      plan spillway.v4_plan;
    begin
      if reply_end is null then return 'over'; end if;
      perform spillway.v4_lock(ids);
      now := spillway.v4_clock(at);
      rows := spillway.v4_read(ids);
      state := rows.states[1];
      plan := spillway.v4_applying(state, rows.definitions[1], plans[1], now);
      state := spillway.v4_reconcile(state, rows.definitions[1], plan, now);
      state.others := spillway.v4_without_mark(state.others);
      if plan.definition <> (plans[1]).definition then
        state := spillway.v4_switch_to(state, plan.definition, plans[1], now);
      end if;
      plan := plans[1];
      if ms > 0 then
        plan := plans[2];
        state := spillway.v4_put_in_place(state, plans[1], plan, now + ms, now);
        plan.anchor := state.since;
      end if;
      if state.since > now then state := spillway.v4_rewind_or_wait(state, plan, now); end if;
      perform spillway.v4_write(ids, array[plan], rows.states, array[state], array[spillway.v4_advance(state, plan, now)], now);
      return now::bigint || ' 0 0,' || now::bigint || reply_end;
    end $$;
    -- Returns the states that \`execute\` would find. Nothing is locked and nothing changes, unless a limit or the
    -- clock has changed: a state that is migrated at this instant is written where that is possible. Stable, so
    -- that a row and its older entries are read as they were at one instant.
    create function spillway.v4_peek(
      ids text[], definitions text[], owners int[], anchors float8[], needs float8[], at float8, lock_timeout int,
      xact text
    ) returns text language plpgsql stable
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set search_path = pg_catalog, pg_temp as $$
    declare
      reply_end constant text := spillway.v4_read_reply_end(xact);
      now constant float8 := spillway.v4_clock(at);
      may_write constant boolean := current_setting('transaction_read_only') = 'off';
      plans spillway.v4_plan[] := spillway.v4_plans(definitions, owners, anchors);
      rows constant record := spillway.v4_read(ids);
      was constant text[] := rows.definitions;
      stored constant spillway.v4_state[] := rows.states;
      state spillway.v4_state;
      need float8[];
      snapshots text[];
    begin
      if reply_end is null then return 'over'; end if;
      for b in 1..cardinality(ids) loop
        state := stored[b];
        if state.others is not null then plans[b] := spillway.v4_applying(state, was[b], plans[b], now); end if;
        if was[b] <> (plans[b]).definition or state.since > now then
          if may_write and was[b] <> '' then
            return spillway.v4_execute(ids, definitions, owners, anchors, needs, '{}', at, lock_timeout, xact);
          end if;
          state := spillway.v4_reconcile(state, was[b], plans[b], now);
        end if;
        state := spillway.v4_advance(state, plans[b], now);
        if state.entries is not null then need := needs[4 * b - 3:4 * b]; end if;
        snapshots[b] := spillway.v4_snapshot(state, plans[b], need, null);
        if state.others is not null then
          snapshots[b] := spillway.v4_override_snapshot(snapshots[b], state, plans[b], definitions[owners[b]], now);
        end if;
      end loop;
      return now::bigint || ' 0 ' || array_to_string(snapshots, ';') || reply_end;
    end $$;
    -- The state of a bucket before \`taken\` was taken, as a reply describes it: see execute.sql.
    create function spillway.v4_state_before(used float8, unsettled float8, taken float8, since_now text) returns text
    language sql stable as $$
      select (used - taken)::bigint || since_now
        || case when unsettled = used then '' else ',' || (unsettled - taken)::bigint end $$;

    -- The same takes as steps, for rows that are not as expected.
    create function spillway.v4_execute_takes(
      ids text[], limit_definition text, taken float8, available float8, at float8, lock_timeout int
    ) returns text language plpgsql as $$
    declare
      plan constant spillway.v4_plan := spillway.v4_plan_from(limit_definition);
      reserve constant int := case when available > plan.capacity_ticks then 1 else 0 end;
      steps float8[];
    begin
      for n in 1..cardinality(ids) loop
        steps := steps || array[-1, 1, n, taken / plan.ticks_per_unit, reserve, 0, 0];
      end loop;
      return spillway.v4_execute(ids, array[limit_definition], array_fill(1, array[cardinality(ids)]),
        array_fill(0::float8, array[cardinality(ids)]), '{}', steps, at, lock_timeout, '');
    end $$;

    -- Takes from those of some buckets that were not \`served\`, and describes all in the order of their ids: \`states\` are
    -- those that were, \`instant\` when.
    create function spillway.v4_take_missed(
      ids text[], served text[], states text, instant text, limit_definition text, taken float8, available float8,
      at float8, lock_timeout int
    ) returns text language plpgsql as $$
    declare
      missed constant text[] := array(select id from unnest(ids) with ordinality as asked(id, place)
        where served is null or id <> all (served) order by place);
      total int := coalesce(cardinality(served), 0);
      rest text[];
    begin
      if missed <> '{}' then
        -- By the time after the rows are locked: before, a wait for them would look like a clock that went back.
        rest := string_to_array(spillway.v4_execute_takes(missed, limit_definition, taken, available, at, lock_timeout), ' ');
        instant := rest[1];
        total := total + rest[2]::int;
        states := concat_ws(';', states, rest[3]);
      end if;
      return instant || ' ' || total || ' ' || (
        select string_agg(state, ';' order by array_position(ids, id))
        from unnest(served || missed, string_to_array(states, ';')) as every(id, state));
    end $$;

    -- The same number of units from each of some buckets under one limit, where rows may be missing or locked already
    -- by this transaction. One statement takes them from the rows that are as expected. The others it leaves to
    -- \`execute\`, locked.
    -- \`taken\` and \`available\` are in ticks, of which \`refill\` come back each millisecond. The rest, and what is
    -- returned, is as for \`execute\`. Rows are locked in the order of their ids, in whatever order these come; in that
    -- order they are best sent, for then the answers need not be put into the order in which they were asked for.
    create function spillway.v4_take_from_buckets(
      ids text[], limit_definition text, taken float8, available float8, refill float8, at float8,
      lock_timeout int, xact text
    ) returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
    declare
      setting text;
      reply_end text := '';
      now float8;
      instant text;
      since_now text;
      served text[];
      states text;
    begin
      if lock_timeout is not null then
        setting := set_config('lock_timeout', lock_timeout::text, true);
      else
        reply_end := spillway.v4_reply_end(xact);
        if reply_end is null then return 'over'; end if;
        -- In a transaction of the caller's a wait can be long: the clock is read once the rows are locked.
        perform spillway.v4_lock_present(ids);
      end if;
      now := spillway.v4_clock(at);
      instant := now::bigint;
      since_now := ',' || instant;
      if cardinality(ids) = 1 then
        insert into spillway.budgets as b
          (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
        values (ids[1], limit_definition, taken, now, 0, taken, 0, spillway.v4_refilled_at(taken, now, refill))
        on conflict (id) do update set
        -- The columns of a row of a bucket that is as expected, and which rows are.
          used = spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken,
          since = now,
          unsettled = least(b.unsettled, spillway.v4_ticks_missing(b.used, b.since, refill, now)) + taken,
          fresh_at = spillway.v4_refilled_at(spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
        where b.definition = limit_definition and b.since <= now and b.others is null
          and spillway.v4_fits(b.blocked_until, spillway.v4_ticks_missing(b.used, b.since, refill, now), taken, available, now)
        returning spillway.v4_state_before(b.used, b.unsettled, taken, since_now) into states;
        if states is not null then return instant || ' 1 ' || states || reply_end; end if;
      else
        with charged as (
          insert into spillway.budgets as b
            (id, definition, used, since, previous, unsettled, blocked_until, fresh_at)
          select id, limit_definition, taken, now, 0, taken, 0, spillway.v4_refilled_at(taken, now, refill)
          from unnest(ids) as id
          order by id collate "C"
          on conflict (id) do update set
          -- The columns of a row of a bucket that is as expected, and which rows are.
            used = spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken,
            since = now,
            unsettled = least(b.unsettled, spillway.v4_ticks_missing(b.used, b.since, refill, now)) + taken,
            fresh_at = spillway.v4_refilled_at(spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
          where b.definition = limit_definition and b.since <= now and b.others is null
            and spillway.v4_fits(b.blocked_until, spillway.v4_ticks_missing(b.used, b.since, refill, now), taken, available, now)
          returning b.id, spillway.v4_state_before(b.used, b.unsettled, taken, since_now) as state
        )
        select array_agg(charged.id), string_agg(charged.state, ';') into served, states from charged;
        if served = ids then return instant || ' ' || cardinality(ids) || ' ' || states || reply_end; end if;
      end if;
      return spillway.v4_take_missed(ids, served, states, instant, limit_definition, taken, available, at, lock_timeout)
        || reply_end;
    end $$;
    -- The most frequent requests: the same number of units from each of some buckets under one limit. Most rows are there
    -- and as expected: one update takes from them, which costs less than an upsert. It locks the rows that it changes in
    -- the order of their ids. Those that refuse are only read.
    --
    -- \`taken\` and \`available\` are in ticks, of which \`refill\` come back each millisecond. The rest, and what is returned,
    -- is as for \`execute\`, but for rows of several that are missing or not as expected: they are left, with an empty text
    -- for their state. To lock them as well would be to lock them out of order, so it needs another transaction.
    create function spillway.v4_take_present(
      ids text[], limit_definition text, taken float8, available float8, refill float8, at float8, lock_timeout int
    ) returns text language plpgsql
    -- An index that is searched for a list of ids returns rows in their order; no other plan locks them so.
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
    set search_path = pg_catalog, pg_temp as $$
    declare
      setting constant text := set_config('lock_timeout', lock_timeout::text, true);
      now constant float8 := spillway.v4_clock(at);
      instant constant text := now::bigint;
      since_now constant text := ',' || instant;
      served text[];
      states text;
    begin
      if cardinality(ids) = 1 then
        update spillway.budgets as b set
        -- The columns of a row of a bucket that is as expected, and which rows are.
          used = spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken,
          since = now,
          unsettled = least(b.unsettled, spillway.v4_ticks_missing(b.used, b.since, refill, now)) + taken,
          fresh_at = spillway.v4_refilled_at(spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
        where b.definition = limit_definition and b.since <= now and b.others is null
          and spillway.v4_fits(b.blocked_until, spillway.v4_ticks_missing(b.used, b.since, refill, now), taken, available, now)
        and b.id = ids[1]
        returning spillway.v4_state_before(b.used, b.unsettled, taken, since_now) into states;
        if states is not null then return instant || ' 1 ' || states; end if;
      else
        with taken_from as (
          update spillway.budgets as b set
          -- The columns of a row of a bucket that is as expected, and which rows are.
            used = spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken,
            since = now,
            unsettled = least(b.unsettled, spillway.v4_ticks_missing(b.used, b.since, refill, now)) + taken,
            fresh_at = spillway.v4_refilled_at(spillway.v4_ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
          where b.definition = limit_definition and b.since <= now and b.others is null
            and spillway.v4_fits(b.blocked_until, spillway.v4_ticks_missing(b.used, b.since, refill, now), taken, available, now)
          and b.id = any (ids)
          returning b.id, spillway.v4_state_before(b.used, b.unsettled, taken, since_now) as state
        )
        select array_agg(t.id), string_agg(t.state, ';') into served, states from taken_from as t;
        if served = ids then return instant || ' ' || cardinality(ids) || ' ' || states; end if;
      end if;
      states := spillway.v4_with_refused(ids, served, states, limit_definition, taken, available, refill, now);
      if states = '' then
        return spillway.v4_take_from_buckets(ids, limit_definition, taken, available, refill, at, lock_timeout, '');
      end if;
      return instant || ' ' || coalesce(cardinality(served), 0) || ' ' || states;
    end $$;

    -- The states of all buckets in the order of \`ids\`: \`states\` of those that were \`served\`, those that refuse as they
    -- are, and an empty text for each of the rest. With its limit the inner query can't be joined in any way but by one search for
    -- each id.
    create function spillway.v4_with_refused(
      ids text[], served text[], states text, limit_definition text, taken float8, available float8, refill float8,
      now float8
    ) returns text language plpgsql as $$
    declare
      known constant text[] := string_to_array(states, ';');
    begin
      return (
        select string_agg(coalesce(known[array_position(served, asked.id)], refused.state, ''), ';' order by asked.place)
        from unnest(ids) with ordinality as asked(id, place)
        left join lateral (
          select b.used::bigint || ',' || b.since::bigint || ',' || b.unsettled::bigint || ',0,' || b.blocked_until::bigint
            as state
          from spillway.budgets as b
          where array_position(served, asked.id) is null
            and b.id = asked.id and b.definition = limit_definition and b.since <= now and b.others is null
            and not spillway.v4_fits(b.blocked_until, spillway.v4_ticks_missing(b.used, b.since, refill, now), taken, available, now)
          limit 1
        ) as refused on true);
    end $$;
    -- Reads some rows that follow an id, in the order of ids, and removes those that equal no row. A row that is
    -- locked is in use and stays. Returns the last id read; '' starts again.
    create function spillway.v4_sweep(after text, amount int, at float8)
    returns text language plpgsql set search_path = pg_catalog, pg_temp
    -- One scan of the index, whatever the table's statistics say, and a plan for it once.
    set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      now constant float8 := spillway.v4_clock(at);
      seen record;
    begin
      select count(*) as amount, max(id) as last_id, array_agg(id) filter (where fresh_at <= now) as fresh
      into seen from (
        select id, fresh_at from spillway.budgets where id > after collate "C" order by id limit amount
      ) as following;
      -- Mostly there are none.
      if seen.fresh is not null then
        with swept as (
          delete from spillway.budgets where id = any (array(
            select id from spillway.budgets where id = any (seen.fresh) and fresh_at <= now
            for update skip locked))
          returning (older).list as list)
        delete from spillway.entries where list = any (array(select list from swept where list is not null));
      end if;
      return case when seen.amount < amount then '' else seen.last_id end;
    end $$;

    -- Which of some rows are locked by other transactions, as JSON.
    create function spillway.v4_locked(ids text[])
    returns text language plpgsql set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      free constant text[] := array(
        select id from spillway.budgets where id = any (ids) for no key update skip locked);
    begin
      return (
        select coalesce(json_agg(id), '[]')::text from spillway.budgets
        where id = any (ids) and not id = any (free));
    end $$;

    insert into spillway.migrations (version) values (4);
  end install;
  perform set_config('client_min_messages', messages, true);
  perform set_config('search_path', path, true);
end
$install$;
`;

/** Part of the names of all functions and types in it. */
export const VERSION = 4;
