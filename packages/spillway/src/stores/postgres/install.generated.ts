/** The SQL files beside this one, as `npm run embed` puts them together. Not for editing. */
export const INSTALL = `-- Installs this version in one statement, all of it or nothing. Run again, or by an older program, it
-- does nothing. What an older version's program calls stays as it is: a function that must change
-- gets a new name.
do $install$
begin
  -- Some drivers print a notice of what there is already.
  perform set_config('client_min_messages', 'warning', true);
  -- Two that install at once: the second waits, and finds it done.
  perform pg_advisory_xact_lock(hashtext('spillway.migrations'));
  if to_regnamespace('spillway') is null then
    create schema spillway;
  end if;
  create table if not exists spillway.migrations (
    version int primary key,
    installed_at timestamptz not null default now()
  );
  if exists (select from spillway.migrations where version >= 1) then
    return;
  end if;

  -- A limit made ready for arithmetic: \`scale\` parts are one unit, \`gain\` of them come back each
  -- millisecond. Kinds: 1 token bucket, 2 leaky bucket, 3 fixed window, 4 sliding window, 5 sliding log,
  -- 6 concurrency.
  create type spillway.plan as (
    definition text,
    kind int,
    rate double precision,
    period double precision,
    scale double precision,
    gain double precision,
    "full" double precision,
    spare double precision,
    -- An instant at which a window begins.
    anchor double precision
  );

  -- The columns of a row that say what was used.
  create type spillway.state as (
    used double precision,
    since double precision,
    previous double precision,
    unsettled double precision,
    blocked_until double precision,
    log double precision[]
  );

  -- An array can hold no arrays of different lengths, but these.
  create type spillway.log as (entries double precision[]);

  -- A state under another definition of its limit, and until when it is kept.
  create type spillway.other as (definition text, state spillway.state, until double precision);

  -- Those of one budget, as an element of an array.
  create type spillway.others as (entries spillway.other[]);

  -- A state with those under other definitions.
  create type spillway.tracked as (state spillway.state, others spillway.other[]);
  -- Where states are kept: a row for each budget that differs from a fresh one, and for some that no
  -- longer do, until they are swept.
  --
  --   id             whose budget, under which limit: a length, the limit's name, "=" and the key
  --   plan           the definition it was written under: the kind's number, rate, period, capacity,
  --                  maxReserved and start, with ":" between them and "-" for no bound and no start;
  --                  empty for a row that was made to be locked
  --   used, since, previous, unsettled
  --                  what is known, in parts and milliseconds since 1970 (docs/algorithms)
  --   blocked_until  until when everything is refused; 0 for no block
  --   fresh_at       from when on the row says what no row would say
  --   log            the admitted asks of a sliding log, from the oldest: instant, units, and so on; the
  --                  leases of a concurrency limit, from the one that ends first: until, units, id, and so on
  --   others         the same under other definitions of the limit, while several are in use; null for none
  --
  -- Numbers are whole and below 2^53, which double precision holds exactly: the arithmetic is then the
  -- same, to the bit, as the one that this is a port of.
  create /*unlogged*/ table spillway.budgets (
    id text collate "C" primary key,
    plan text not null,
    used double precision not null,
    since double precision not null,
    previous double precision not null,
    unsettled double precision not null,
    blocked_until double precision not null,
    fresh_at double precision not null,
    log double precision[],
    others spillway.other[]
  )
  -- Room in each page for the next versions of its rows: they need no new entries in the index then, and
  -- are cleared away without a vacuum. What is busy is vacuumed often, while that is little work.
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
  -- The grid of windows that fixed and sliding windows share.

  -- How many windows have ended since one began; 0 while it lasts.
  create function spillway.windows_gone(
    since double precision, period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when now - since < period then 0 else floor((now - since) / period) end
  $$;

  -- The beginning of the window that holds an instant, where some window begins at \`anchor\`.
  create function spillway.window_start(
    anchor double precision, period double precision, at double precision
  ) returns double precision language sql immutable as $$
    select at - (((at - anchor)::bigint % period::bigint) + period::bigint) % period::bigint
  $$;
  -- Token bucket: \`gain\` parts drip back each millisecond. Leaky buckets count the same.

  -- Parts missing at \`now\`.
  create function spillway.bucket_used(
    used double precision, since double precision, gain double precision, now double precision
  ) returns double precision language sql immutable as $$
    select greatest(0, used - greatest(0, now - since) * gain)
  $$;

  -- From when on nothing is missing of a state that is as it is at \`now\`; infinite where nothing drips.
  create function spillway.bucket_fresh_at(
    used double precision, since double precision, gain double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when used = 0 then now
      else greatest(since, now) + coalesce(ceil(used / nullif(gain, 0)), 'Infinity') end
  $$;
  -- Fixed window: \`rate\` units come back whenever a window ends; \`since\` is the beginning of one.

  -- Units used at \`now\`.
  create function spillway.fixed_used(
    used double precision, since double precision, rate double precision,
    period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select greatest(0, used - spillway.windows_gone(since, period, now) * rate)
  $$;

  -- From when on all units of a state that is as it is at \`now\` have come back; infinite where none do.
  create function spillway.fixed_fresh_at(
    used double precision, since double precision, rate double precision,
    period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when used = 0 then now
      else since + period * coalesce(ceil(used / nullif(rate, 0)), 'Infinity') end
  $$;
  -- Sliding window: this window's units, and those of the one before, weighted by what of it is left.

  -- Units used in the window of \`now\`.
  create function spillway.sliding_used(
    used double precision, since double precision, period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when now - since < period then used else 0 end
  $$;

  -- Units used in the window before that.
  create function spillway.sliding_previous(
    used double precision, since double precision, previous double precision,
    period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when now - since < period then previous when now - since < 2 * period then used else 0 end
  $$;

  -- Parts of the estimate, of a state that is as it is at \`now\`.
  create function spillway.sliding_spent(
    used double precision, since double precision, previous double precision,
    period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select used * period + previous * (period - greatest(0, now - since))
  $$;

  -- From when on nothing of two windows is remembered, of a state that is as it is at \`now\`.
  create function spillway.sliding_fresh_at(
    used double precision, since double precision, previous double precision,
    period double precision, now double precision
  ) returns double precision language sql immutable as $$
    select case when used > 0 then since + 2 * period when previous > 0 then since + period else now end
  $$;
  -- Sliding log: every admitted ask, remembered for one period: instant, units, and so on, from
  -- the oldest. \`used\` of its state is the sum of all units.

  -- How many entries have been over since an instant, and their units.
  create function spillway.log_over(
    log double precision[], instant double precision, out entries int, out units double precision
  ) language plpgsql immutable parallel safe as $$
  begin
    entries := 0;
    units := 0;
    while log[2 * entries + 1] <= instant loop
      entries := entries + 1;
      units := units + log[2 * entries];
    end loop;
  end
  $$;

  -- With units added at an instant that is not before the newest entry's.
  create function spillway.log_add(
    log double precision[], instant double precision, units double precision
  ) returns double precision[] language plpgsql immutable parallel safe as $$
  declare
    last int := cardinality(log);
  begin
    if log[last - 1] = instant then
      log[last] := log[last] + units;
      return log;
    end if;
    return log || array[instant, units];
  end
  $$;

  -- With units taken off the newest entries.
  create function spillway.log_take_back(
    log double precision[], units double precision
  ) returns double precision[] language plpgsql immutable parallel safe as $$
  declare
    rest double precision := units;
    last int := cardinality(log);
  begin
    while rest > 0 and last > 0 loop
      if log[last] > rest then
        log[last] := log[last] - rest;
        rest := 0;
      else
        rest := rest - log[last];
        last := last - 2;
      end if;
    end loop;
    return log[:last];
  end
  $$;

  -- With all instants moved back.
  create function spillway.log_rewind(
    log double precision[], ms double precision
  ) returns double precision[] language sql immutable parallel safe as $$
    select array_agg(case when place % 2 = 1 then number - ms else number end order by place)
    from unnest(log) with ordinality as numbers(number, place)
  $$;

  -- As much of it as an answer depends on: from the oldest so many entries that \`units\` are in them, and
  -- the newest.
  create function spillway.log_shown(
    log double precision[], units double precision
  ) returns double precision[] language plpgsql immutable parallel safe as $$
  declare
    shown int := 0;
    seen double precision := 0;
  begin
    while seen < units and shown < cardinality(log) loop
      shown := shown + 2;
      seen := seen + log[shown];
    end loop;
    if shown >= cardinality(log) - 2 then return log; end if;
    return log[:shown] || log[cardinality(log) - 1:];
  end
  $$;

  -- The same, as a reply tells it after a state.
  create function spillway.log_told(
    log double precision[], units double precision
  ) returns text language sql immutable as $$
    select case when cardinality(log) > 0
      then ':' || array_to_string(spillway.log_shown(log, units)::bigint[], ',') else '' end
  $$;
  -- Concurrency: units are in flight, each held by a lease, until that is given back or its time is over.
  -- Three numbers a lease: until when it lasts, its units, its id, in the order in which they end. \`used\` of
  -- their state is the sum of all units, \`since\` the latest instant at which one was taken or renewed.

  -- How many are over at an instant, and their units.
  create function spillway.leases_over(
    leases double precision[], instant double precision, out entries int, out units double precision
  ) language plpgsql immutable parallel safe as $$
  begin
    entries := 0;
    units := 0;
    while leases[3 * entries + 1] <= instant loop
      entries := entries + 1;
      units := units + leases[3 * entries - 1];
    end loop;
  end
  $$;

  -- The place of an id among the numbers; null where there is no such lease.
  create function spillway.lease_place(leases double precision[], id double precision) returns int
  language plpgsql immutable parallel safe as $$
  declare
    place int := array_position(leases, id);
  begin
    -- An instant and an amount can be the same number.
    while place % 3 <> 0 loop
      place := array_position(leases, id, place + 1);
    end loop;
    return place;
  end
  $$;

  -- With one more, which ends no sooner than the others; to one that is there its units are added.
  create function spillway.leases_add(
    leases double precision[], until double precision, units double precision, id double precision
  ) returns double precision[] language plpgsql immutable parallel safe as $$
  declare
    place constant int := spillway.lease_place(leases, id);
  begin
    if place is null then return leases || array[until, units, id]; end if;
    return leases[:place - 3] || leases[place + 1:] || array[until, units + leases[place - 1], id];
  end
  $$;

  -- Without one; null where it is not there, or holds other units.
  create function spillway.leases_without(
    leases double precision[], id double precision, units double precision
  ) returns double precision[] language plpgsql immutable parallel safe as $$
  declare
    place constant int := spillway.lease_place(leases, id);
  begin
    if leases[place - 1] = units then return leases[:place - 3] || leases[place + 1:]; end if;
    return null;
  end
  $$;

  -- With none that lasts beyond an instant.
  create function spillway.leases_shorten(
    leases double precision[], until double precision
  ) returns double precision[] language sql immutable parallel safe as $$
    select array(
      select case when place % 3 = 1 then least(number, until) else number end
      from unnest(leases) with ordinality as numbers(number, place) order by place)
  $$;

  -- With all instants moved back.
  create function spillway.leases_rewind(
    leases double precision[], ms double precision
  ) returns double precision[] language sql immutable parallel safe as $$
    select array(
      select case when place % 3 = 1 then number - ms else number end
      from unnest(leases) with ordinality as numbers(number, place) order by place)
  $$;

  -- As a reply tells them after a state.
  create function spillway.leases_told(leases double precision[]) returns text
  language sql immutable as $$
    select case when cardinality(leases) > 0
      then ':' || array_to_string(leases::bigint[], ',') else '' end
  $$;

  -- A state that is as it is at \`now\`, once a lease is given back; the same where it is not in flight.
  create function spillway.released(
    state spillway.state, id double precision, units double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    others constant double precision[] := spillway.leases_without(state.log, id, units);
  begin
    if others is null then return state; end if;
    state.used := state.used - units;
    state.log := others;
    return state;
  end
  $$;

  -- Once a lease lasts for its whole time again; the same where it is not in flight.
  create function spillway.renewed(
    state spillway.state, id double precision, units double precision,
    period double precision, now double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    others constant double precision[] := spillway.leases_without(state.log, id, units);
  begin
    if others is null then return state; end if;
    state.since := greatest(state.since, now);
    state.log := others || array[state.since + period, units, id];
    return state;
  end
  $$;
  -- From one definition of a limit, and one instant, to another.

  -- The plan that a definition stands for, but for its anchor.
  create function spillway.plan_from(definition text) returns spillway.plan
  language plpgsql immutable as $$
  declare
    exact constant double precision := 4503599627370496;
    words text[] := string_to_array(definition, ':');
    plan spillway.plan;
    most double precision;
  begin
    plan.definition := definition;
    plan.kind := words[1];
    plan.rate := words[2];
    plan.period := words[3];
    plan.scale := case when plan.kind = 4 then plan.period else 1 end;
    plan.gain := 0;
    if plan.kind in (1, 2) then
      plan.scale := plan.period / gcd(plan.rate::bigint, plan.period::bigint);
      plan.gain := plan.rate / gcd(plan.rate::bigint, plan.period::bigint);
    end if;
    plan.full := words[4]::double precision * plan.scale;
    most := exact - plan.full;
    plan.spare := case when plan.rate = 0 or plan.kind not in (1, 2, 3) then 0
      else least(nullif(words[5], '-')::double precision * plan.scale, most) end;
    return plan;
  end
  $$;

  -- Parts of one plan as parts of another, rounded up.
  create function spillway.converted(
    parts double precision, before double precision, scale double precision
  ) returns double precision language sql immutable as $$
    select case when before = scale then parts else
      floor(parts / before) * scale
        + least(scale, ceil((parts - floor(parts / before) * before) / before * scale)) end
  $$;

  -- The most parts of a plan that count as used where so many are under another one: with its debt.
  create function spillway.most_kept(
    spent double precision, before spillway.plan, plan spillway.plan
  ) returns double precision language sql immutable as $$
    select plan."full" + least(
      spillway.converted(greatest(0, spent - before."full"), before.scale, plan.scale), plan.spare)
  $$;

  -- A state as it is at \`now\`: the same, said of this instant.
  create function spillway.present(state spillway.state, plan spillway.plan, now double precision)
  returns spillway.state language plpgsql immutable as $$
  declare
    over record;
  begin
    if plan.kind in (1, 2) then
      state.used := spillway.bucket_used(state.used, state.since, plan.gain, now);
      state.since := greatest(state.since, now);
    elsif plan.kind = 5 then
      over := spillway.log_over(state.log, greatest(state.since, now) - plan.period);
      state.used := state.used - over.units;
      state.log := state.log[2 * over.entries + 1:];
    elsif plan.kind = 6 then
      over := spillway.leases_over(state.log, greatest(state.since, now));
      state.used := state.used - over.units;
      state.log := state.log[3 * over.entries + 1:];
    else
      if plan.kind = 3 then
        state.used := spillway.fixed_used(state.used, state.since, plan.rate, plan.period, now);
      else
        state.previous := spillway.sliding_previous(
          state.used, state.since, state.previous, plan.period, now);
        state.used := spillway.sliding_used(state.used, state.since, plan.period, now);
      end if;
      state.since := state.since + plan.period * spillway.windows_gone(state.since, plan.period, now);
    end if;
    state.unsettled := least(state.unsettled, state.used);
    return state;
  end
  $$;

  -- Parts used, of a state that is as it is at \`now\`.
  create function spillway.spent(state spillway.state, plan spillway.plan, now double precision)
  returns double precision language sql immutable as $$
    select case when plan.kind = 4
      then spillway.sliding_spent(state.used, state.since, state.previous, plan.period, now)
      else state.used end
  $$;

  -- A state begun anew, with parts already used, some of which may be settled. A block stays.
  create function spillway.begun(
    state spillway.state, plan spillway.plan, now double precision,
    spent double precision = 0, unsettled double precision = 0
  ) returns spillway.state language plpgsql immutable as $$
  begin
    state.used := ceil(spent / case when plan.kind = 4 then plan.scale else 1 end);
    state.unsettled := case when plan.kind = 6 then 0
      else floor(unsettled / case when plan.kind = 4 then plan.scale else 1 end) end;
    state.since := case when plan.kind in (3, 4)
      then spillway.window_start(plan.anchor, plan.period, now) else now end;
    state.previous := 0;
    state.log := case when plan.kind in (5, 6) then '{}'::double precision[] end;
    if spent > 0 and plan.kind = 5 then state.log := array[now, spent]; end if;
    -- Held by a lease of nobody's, until that is over.
    if spent > 0 and plan.kind = 6 then state.log := array[now + plan.period, spent, 0]; end if;
    return state;
  end
  $$;

  -- A state written under another definition: what was used stays used, as far as this one can hold it.
  create function spillway.adopted(
    state spillway.state, before spillway.plan, plan spillway.plan, now double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    old spillway.state := spillway.present(state, before, now);
    share constant double precision := case when before.kind = 4 then before.scale else 1 end;
    old_spent double precision;
    spent double precision;
    most double precision;
  begin
    if plan.kind = 6 and before.kind = 6 then
      -- All that is in flight stays so, but for no longer than a lease that is taken now.
      old.since := greatest(old.since, now);
      old.log := spillway.leases_shorten(old.log, old.since + plan.period);
      return old;
    end if;
    old_spent := spillway.spent(old, before, now);
    spent := spillway.converted(old_spent, before.scale, plan.scale);
    most := spillway.most_kept(old_spent, before, plan);
    if plan.kind = before.kind and plan.period = before.period and spent <= most and (plan.kind = 5 or
      plan.kind = 4 and split_part(plan.definition, ':', 6) = split_part(before.definition, ':', 6))
    then return state; end if;
    spent := least(spent, most);
    return spillway.begun(state, plan, greatest(now, state.since), spent, least(spent,
      spillway.converted(old.unsettled * share, before.scale, plan.scale)));
  end
  $$;

  -- A state that is ahead of the clock. Far: it goes back with the clock, by whole windows, to the one that
  -- begins next; less: time stands still. What says nothing need not wait; a block does say something.
  create function spillway.gone_back(
    state spillway.state, plan spillway.plan, now double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    grid constant double precision := case when plan.kind in (3, 4) then plan.period else 1 end;
    ms constant double precision := floor((state.since - now) / grid) * grid;
  begin
    if state.since - now >= plan.period then
      state.since := state.since - ms;
      state.blocked_until := greatest(0, state.blocked_until - ms);
      state.log := case when plan.kind = 6 then spillway.leases_rewind(state.log, ms)
        else coalesce(spillway.log_rewind(state.log, ms), state.log) end;
    end if;
    if state.since > now and state.used = 0 and state.previous = 0 and state.blocked_until <= now then
      return spillway.begun(state, plan, now);
    end if;
    return state;
  end
  $$;
  -- One limit under several definitions at once, as while a new one is deployed. Each has a state of its own;
  -- what is taken under one counts under all of them, as far as they can hold it.

  -- A state that is as it is at \`now\`, once units are taken, for a concurrency limit by a lease.
  create function spillway.charged(
    state spillway.state, plan spillway.plan, units double precision, lease double precision,
    now double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    taken constant double precision := units * case when plan.kind in (1, 2) then plan.scale else 1 end;
  begin
    state.used := state.used + taken;
    if plan.kind in (5, 6) then state.since := greatest(state.since, now); end if;
    if plan.kind = 6 then
      state.log := spillway.leases_add(state.log, state.since + plan.period, units, lease);
      return state;
    end if;
    state.unsettled := state.unsettled + taken;
    if plan.kind = 5 then state.log := spillway.log_add(state.log, state.since, units); end if;
    return state;
  end
  $$;

  -- From when on nothing is left of a state that is as it is at \`now\`; infinite where nothing comes back.
  create function spillway.state_fresh_at(
    state spillway.state, plan spillway.plan, now double precision
  ) returns double precision language sql immutable as $$
    select case
      when plan.kind in (1, 2) then spillway.bucket_fresh_at(state.used, state.since, plan.gain, now)
      when plan.kind = 3 then
        spillway.fixed_fresh_at(state.used, state.since, plan.rate, plan.period, now)
      when plan.kind = 4 then
        spillway.sliding_fresh_at(state.used, state.since, state.previous, plan.period, now)
      when state.used = 0 then now
      when plan.kind = 5 then state.log[cardinality(state.log) - 1] + plan.period
      else state.since + plan.period end
  $$;

  -- Milliseconds after which nothing is left of a full state, at the latest.
  create function spillway.memory(plan spillway.plan) returns double precision
  language sql immutable as $$
    select plan.period
      * greatest(2, coalesce(ceil(plan."full" / plan.scale / nullif(plan.rate, 0)), 2))
  $$;

  -- A state as one that is kept beside that of another plan.
  create function spillway.beside(
    state spillway.state, plan spillway.plan, other spillway.plan, now double precision
  ) returns spillway.other language plpgsql immutable as $$
  begin
    -- A block is kept once.
    state.blocked_until := 0;
    return row(plan.definition, state, least(4503599627370496, greatest(
      spillway.state_fresh_at(spillway.present(state, plan, now), plan, now),
      now + greatest(spillway.memory(plan), spillway.memory(other)))))::spillway.other;
  end
  $$;

  -- Those of which something may be left, brought back where the clock went back; null for none.
  create function spillway.current_others(others spillway.other[], now double precision)
  returns spillway.other[] language plpgsql immutable as $$
  declare
    kept spillway.other[];
    one spillway.other;
    plan spillway.plan;
    since double precision;
  begin
    foreach one in array coalesce(others, '{}') loop
      plan := spillway.plan_from(one.definition);
      since := (one.state).since;
      if since - now >= plan.period then
        one.state := spillway.gone_back(one.state, plan, now);
        one.until := one.until - (since - (one.state).since);
      end if;
      if one.until > now then kept := array_append(kept, one); end if;
    end loop;
    return kept;
  end
  $$;

  -- As many as are kept beside the one asked under: without the one of which the least is left.
  create function spillway.fitting_others(others spillway.other[])
  returns spillway.other[] language plpgsql immutable as $$
  declare
    most constant int := 3;
    goes int := 1;
  begin
    if coalesce(cardinality(others), 0) <= most then return others; end if;
    for n in 2..cardinality(others) loop
      if (others[n]).until < (others[goes]).until then goes := n; end if;
    end loop;
    return others[:goes - 1] || others[goes + 1:];
  end
  $$;

  -- A state that was written under one definition, for another one. One that is new to the budget takes over
  -- what was used; one that is in use goes on from its own. What it was before is kept beside it.
  create function spillway.turned(
    state spillway.state, before text, plan spillway.plan, others spillway.other[],
    now double precision
  ) returns spillway.tracked language plpgsql immutable as $$
  declare
    old constant spillway.plan := spillway.plan_from(before);
    kept spillway.other[] := spillway.current_others(others, now);
    known int;
    turned spillway.state;
  begin
    for n in 1..coalesce(cardinality(kept), 0) loop
      if (kept[n]).definition = plan.definition then known := n; end if;
    end loop;
    if known is null then
      -- One of which nothing is left says no more than none: another store may have forgotten it.
      if spillway.state_fresh_at(spillway.present(state, old, now), old, now) > now then
        kept := kept || spillway.current_others(array[spillway.beside(state, old, plan, now)], now);
      end if;
      return row(spillway.adopted(state, old, plan, now), spillway.fitting_others(kept));
    end if;
    -- A block goes back with the clock as the state does under which it was asked for last.
    if state.since - now >= old.period then state := spillway.gone_back(state, old, now); end if;
    turned := (kept[known]).state;
    turned.blocked_until := state.blocked_until;
    return row(turned,
      array_append(kept[:known - 1] || kept[known + 1:], spillway.beside(state, old, plan, now)));
  end
  $$;

  -- After units were taken under one definition, which has then spent so much.
  create function spillway.shared(
    others spillway.other[], plan spillway.plan, spent double precision, count double precision,
    lease double precision, now double precision
  ) returns spillway.other[] language plpgsql immutable as $$
  declare
    kept spillway.other[];
    one spillway.other;
    other spillway.plan;
    state spillway.state;
    units double precision;
  begin
    foreach one in array coalesce(spillway.current_others(others, now), '{}') loop
      other := spillway.plan_from(one.definition);
      state := spillway.present(one.state, other, now);
      units := count;
      -- A lease is over after its time, whatever else is in flight.
      if other.kind <> 6 or lease = 0 then
        units := least(count, floor(
          (spillway.most_kept(spent, plan, other) - spillway.spent(state, other, now)) / other.scale));
      end if;
      -- What no lease has taken is held by one of nobody's, another one each millisecond.
      if units > 0 then
        one.state := spillway.charged(
          state, other, units, case when lease = 0 then now else lease end, now);
      end if;
      kept := array_append(kept, one);
    end loop;
    return kept;
  end
  $$;

  -- After a lease was released, or renewed, under one definition.
  create function spillway.others_lent(
    others spillway.other[], renews boolean, lease double precision, units double precision,
    now double precision
  ) returns spillway.other[] language plpgsql immutable as $$
  declare
    kept spillway.other[];
    one spillway.other;
    plan spillway.plan;
    state spillway.state;
  begin
    foreach one in array others loop
      plan := spillway.plan_from(one.definition);
      if plan.kind = 6 then
        state := spillway.present(one.state, plan, now);
        if not renews then
          one.state := spillway.released(state, lease, units);
        elsif spillway.leases_without(state.log, lease, units) is null then
          -- Its time is shorter under this one: it was over, and is in flight again.
          one.state := spillway.charged(state, plan, units, lease, now);
        else
          one.state := spillway.renewed(state, lease, units, plan.period, now);
        end if;
      end if;
      kept := array_append(kept, one);
    end loop;
    return kept;
  end
  $$;

  -- After a step that takes nothing, which finds a state, and leaves it, as it is at \`now\`.
  create function spillway.others_after_step(
    others spillway.other[], found spillway.state, left_behind spillway.state, plan spillway.plan,
    step double precision, one double precision, other double precision, now double precision
  ) returns spillway.other[] language plpgsql immutable as $$
  begin
    if step = -3 then return null; end if;
    -- What turned out to be used beyond an estimate counts everywhere.
    if step = -2 and plan.kind <> 6 and other > one then
      return spillway.shared(
        others, plan, spillway.spent(left_behind, plan, now), other - one, 0, now);
    end if;
    if plan.kind = 6 and (step = -6
      or step = -7 and spillway.leases_without(found.log, one, other) is not null)
    then return spillway.others_lent(others, step = -7, one, other, now); end if;
    return others;
  end
  $$;
  -- A state of a row, fit to be asked at \`now\`, with those under other definitions of its limit.
  create function spillway.followed(
    state spillway.state, before text, plan spillway.plan, others spillway.other[],
    now double precision
  ) returns spillway.tracked language plpgsql immutable as $$
  declare
    tracked spillway.tracked := row(state, others);
  begin
    if before = '' then
      tracked.state := spillway.begun(state, plan, now);
    elsif before <> plan.definition then
      tracked := spillway.turned(state, before, plan, others, now);
    end if;
    if (tracked.state).since > now then
      tracked.state := spillway.gone_back(tracked.state, plan, now);
    end if;
    return tracked;
  end
  $$;
  -- With an estimate replaced by the true number, of a state that is as it is at \`now\`. Upward there is no
  -- bound; downward no more comes back than was taken, is still missing and was not settled before.
  create function spillway.settled(
    state spillway.state, plan spillway.plan, reserved double precision, really double precision,
    now double precision
  ) returns spillway.state language plpgsql immutable as $$
  declare
    exact constant double precision := 4503599627370496;
    unit constant double precision := case when plan.kind in (1, 2) then plan.scale else 1 end;
    -- Starts that a leaky bucket has promised can't be moved.
    true_use constant double precision :=
      case when plan.kind = 2 then greatest(reserved, really) else really end;
    change constant double precision := (true_use - reserved) * unit;
    used constant double precision := case when change < 0
      then state.used - least(-change, state.unsettled) else least(exact, state.used + change) end;
  begin
    -- Leases are given back.
    if plan.kind = 6 then return state; end if;
    if plan.kind = 5 and used > state.used then
      state.since := greatest(state.since, now);
      state.log := spillway.log_add(state.log, state.since, used - state.used);
    elsif plan.kind = 5 then
      state.log := spillway.log_take_back(state.log, state.used - used);
    end if;
    state.unsettled := least(greatest(0, state.unsettled - reserved * unit), used);
    -- No further than the estimate, or the wait until all has come back, is exact.
    state.used := case
      when plan.kind = 4 then least(used, greatest(state.used, floor(exact / plan.period) - state.previous))
      when plan.kind = 3 and plan.rate > 0
        then least(used, greatest(state.used, floor(exact / plan.period) * plan.rate))
      else used end;
    return state;
  end
  $$;

  -- A state that is as it is at \`now\`, once everything is refused for \`ms\` from then, or from when time goes
  -- on for the state, if it stands still. It says so of this instant, that a clock that goes back may take the
  -- block back with it, and not by less. Windows stay on their grid, and leases in flight end by when the
  -- newest of them was taken.
  create function spillway.blocked(
    state spillway.state, plan spillway.plan, ms double precision, now double precision
  ) returns spillway.state language plpgsql immutable as $$
  begin
    if not (plan.kind in (3, 4) or plan.kind = 6 and state.used > 0) then
      state.since := greatest(state.since, now);
    end if;
    state.blocked_until := greatest(state.since, now) + ms;
    return state;
  end
  $$;

  -- After a step that takes nothing.
  create function spillway.after_step(
    state spillway.state, plan spillway.plan, step double precision,
    one double precision, other double precision, now double precision
  ) returns spillway.state language plpgsql immutable as $$
  begin
    case step
      when -2 then return spillway.settled(state, plan, one, other, now);
      when -3 then
        if state.blocked_until <= now then state.blocked_until := 0; end if;
        return spillway.begun(state, plan, now);
      when -4 then return spillway.blocked(state, plan, one, now);
      when -5 then state.blocked_until := 0;
      when -6 then return spillway.released(state, one, other);
      when -7 then return spillway.renewed(state, one, other, plan.period, now);
    end case;
    return state;
  end
  $$;
  -- A state as a reply tells it: used, now - since and unsettled; previous and blocked until, where they
  -- are not 0.
  create function spillway.told(
    used double precision, since double precision, previous double precision,
    unsettled double precision, blocked_until double precision, now double precision
  ) returns text language sql immutable as $$
    select used::bigint || ',' || (now - since)::bigint || ',' || unsettled::bigint
      || case when previous = 0 and blocked_until = 0 then ''
        else ',' || previous::bigint || ',' || blocked_until::bigint end
  $$;
  -- Locks the rows of budgets, carries out steps on them, and writes those that have changed; see take.sql.
  create function spillway.carry_out(
    ids text[], plans spillway.plan[], owners int[], extras double precision[],
    steps double precision[], at double precision,
    out instant double precision, out charged int, out states text[]
  ) language plpgsql as $$
  declare
    now double precision;
    -- What is known of the budgets, a column each, by their places: an array of rows would be taken apart
    -- and put together again at every step.
    limits spillway.plan[];
    definitions text[];
    used double precision[];
    since double precision[];
    previous double precision[];
    unsettled double precision[];
    blocked double precision[];
    logs spillway.log[];
    others spillway.others[];
    -- The same, not yet brought to this instant, for rows that keep what they say: it differs where the
    -- clock goes back.
    kept_used double precision[];
    kept_since double precision[];
    kept_previous double precision[];
    kept_unsettled double precision[];
    kept_logs spillway.log[];
    fresh_at double precision[];
    -- Whether a row is to be written, and whether with other numbers.
    changed boolean[] := array_fill(false, array[cardinality(ids)]);
    stepped boolean[] := changed;
    b int;
    plan spillway.plan;
    state spillway.state;
    found spillway.state;
    tracked spillway.tracked;
    next int := 1;
    step double precision;
    asks double precision[];
    fits boolean;
    unit double precision;
  begin
    -- One pass over all rows, in one order for everybody, each locked or made: nobody who holds one waits
    -- for one that comes before it.
    insert into spillway.budgets (id, plan, used, since, previous, unsettled, blocked_until, fresh_at)
    select id, '', 0, 0, 0, 0, 0, 0 from unnest(ids) as id order by id collate "C"
    on conflict (id) do update set used = excluded.used where false;

    -- Not before all are held: no state is of a later instant, unless a clock went back.
    now := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
    instant := now;
    charged := 0;

    select array_agg(held.plan), array_agg(held.used), array_agg(held.since), array_agg(held.previous),
      array_agg(held.unsettled), array_agg(held.blocked_until), array_agg(row(held.log)::spillway.log),
      array_agg(row(held.others)::spillway.others)
    into definitions, used, since, previous, unsettled, blocked, logs, others
    from (
      select budget.* from unnest(ids) with ordinality as asked(id, place)
      cross join lateral (select * from spillway.budgets where budgets.id = asked.id) as budget
      order by place
    ) as held;

    -- At REPEATABLE READ and above, a row that was swept since the transaction began is seen beside the one
    -- that was made in its place.
    if cardinality(used) <> cardinality(ids) then
      raise serialization_failure using message = 'a row was swept since the transaction began';
    end if;
    kept_used := used;
    kept_since := since;
    kept_previous := previous;
    kept_unsettled := unsettled;
    kept_logs := logs;

    -- Each state as it is now, and told.
    for b in 1..cardinality(ids) loop
      plan := plans[owners[b]];
      plan.anchor := extras[b];
      limits[b] := plan;
      if plan.kind in (1, 2) and definitions[b] = plan.definition and since[b] <= now then
        used[b] := spillway.bucket_used(used[b], since[b], plan.gain, now);
        since[b] := now;
        unsettled[b] := least(unsettled[b], used[b]);
      else
        -- Written, even by a look: what is carried over at this instant must not be carried over again.
        changed[b] := definitions[b] <> '' and (definitions[b] <> plan.definition or since[b] > now);
        tracked := spillway.followed(row(used[b], since[b], previous[b], unsettled[b], blocked[b],
          (logs[b]).entries)::spillway.state, definitions[b], plan, (others[b]).entries, now);
        state := tracked.state;
        others[b] := row(tracked.others)::spillway.others;
        kept_used[b] := state.used;
        kept_since[b] := state.since;
        kept_previous[b] := state.previous;
        kept_unsettled[b] := state.unsettled;
        kept_logs[b] := row(state.log)::spillway.log;
        state := spillway.present(state, plan, now);
        used[b] := state.used;
        since[b] := state.since;
        previous[b] := state.previous;
        unsettled[b] := state.unsettled;
        blocked[b] := state.blocked_until;
        logs[b] := row(state.log)::spillway.log;
      end if;
      states[b] := spillway.told(used[b], since[b], previous[b], unsettled[b], blocked[b], now);
      if plan.kind = 5 then
        states[b] := states[b] || spillway.log_told((logs[b]).entries, used[b] + extras[b] - plan."full");
      elsif plan.kind = 6 then
        states[b] := states[b] || spillway.leases_told((logs[b]).entries);
      end if;
    end loop;

    while next <= cardinality(steps) loop
      step := steps[next];
      if step < -1 then
        b := steps[next + 1];
        found := row(used[b], since[b], previous[b], unsettled[b], blocked[b], (logs[b]).entries);
        state := spillway.after_step(
          found, limits[b], step, steps[next + 2], steps[next + 3], now);
        if (others[b]).entries is not null then
          others[b] := row(spillway.others_after_step((others[b]).entries, found, state, limits[b],
            step, steps[next + 2], steps[next + 3], now))::spillway.others;
        end if;
        -- What has come back altogether need not wait for a clock that is behind.
        if state.since > now then state := spillway.gone_back(state, limits[b], now); end if;
        used[b] := state.used;
        since[b] := state.since;
        previous[b] := state.previous;
        unsettled[b] := state.unsettled;
        blocked[b] := state.blocked_until;
        logs[b] := row(state.log)::spillway.log;
        changed[b] := true;
        stepped[b] := stepped[b] or step <> -5;
        next := next + 1 + case step when -1 then 1 when -2 then 3 when -3 then 1 when -4 then 2 when -5 then 1 when -6 then 3 when -7 then 3 end;
        continue;
      end if;

      -- Takes: from one budget, or from several if all of them have what is asked.
      if step > 0 then
        asks := array[step, 1, 0, 0, 0];
        next := next + 1;
      else
        asks := steps[next + 2:next + 1 + 5 * steps[next + 1]::int];
        next := next + 2 + cardinality(asks);
      end if;
      fits := true;
      for n in 1..cardinality(asks) by 5 loop
        b := asks[n];
        plan := limits[b];
        fits := fits and blocked[b] <= now and case when plan.kind = 4
            then spillway.sliding_spent(used[b], since[b], previous[b], plan.period, now) else used[b] end
          + greatest(1, asks[n + 1]) * plan.scale + asks[n + 3]
          <= plan."full" + asks[n + 2] * plan.spare;
      end loop;
      continue when not fits;
      charged := charged + cardinality(asks) / 5;
      for n in 1..cardinality(asks) by 5 loop
        continue when asks[n + 1] = 0;
        b := asks[n];
        unit := case when (limits[b]).kind in (1, 2) then (limits[b]).scale else 1 end;
        used[b] := used[b] + asks[n + 1] * unit;
        if (limits[b]).kind = 6 then
          since[b] := greatest(since[b], now);
          logs[b] := row(spillway.leases_add((logs[b]).entries, since[b] + (limits[b]).period, asks[n + 1],
            asks[n + 4]))::spillway.log;
        else
          unsettled[b] := unsettled[b] + asks[n + 1] * unit;
        end if;
        if (limits[b]).kind = 5 then
          since[b] := greatest(since[b], now);
          logs[b] := row(spillway.log_add((logs[b]).entries, since[b], asks[n + 1]))::spillway.log;
        end if;
        if (others[b]).entries is not null then
          others[b] := row(spillway.shared((others[b]).entries, limits[b],
            case when (limits[b]).kind = 4 then spillway.sliding_spent(
              used[b], since[b], previous[b], (limits[b]).period, now) else used[b] end,
            asks[n + 1], asks[n + 4], now))::spillway.others;
        end if;
        changed[b] := true;
        stepped[b] := true;
      end loop;
    end loop;

    if not true = any(changed) then return; end if;
    for b in 1..cardinality(ids) loop
      plan := limits[b];
      fresh_at[b] := greatest(blocked[b], case
        when plan.kind in (1, 2) then spillway.bucket_fresh_at(used[b], since[b], plan.gain, now)
        when plan.kind = 3 then spillway.fixed_fresh_at(used[b], since[b], plan.rate, plan.period, now)
        when plan.kind = 4 then spillway.sliding_fresh_at(used[b], since[b], previous[b], plan.period, now)
        else case when used[b] = 0 then now else since[b] + plan.period end end);
      if (others[b]).entries is not null then
        fresh_at[b] := greatest(fresh_at[b],
          (select max(one.until) from unnest((others[b]).entries) as one));
      end if;
      if not stepped[b] then
        used[b] := kept_used[b];
        since[b] := kept_since[b];
        previous[b] := kept_previous[b];
        unsettled[b] := kept_unsettled[b];
        logs[b] := kept_logs[b];
      end if;
    end loop;
    insert into spillway.budgets
      (id, plan, used, since, previous, unsettled, blocked_until, fresh_at, log, others)
    select one.id, (plans[one.owner]).definition, one.used, one.since, one.previous, one.unsettled,
      one.blocked, one.fresh_at, one.log, one.others
    from unnest(ids, owners, used, since, previous, unsettled, blocked, fresh_at, changed, logs, others)
      as one(id, owner, used, since, previous, unsettled, blocked, fresh_at, changed, log, others)
    where one.changed
    on conflict (id) do update set plan = excluded.plan, used = excluded.used, since = excluded.since,
      previous = excluded.previous, unsettled = excluded.unsettled,
      blocked_until = excluded.blocked_until, fresh_at = excluded.fresh_at, log = excluded.log,
      others = excluded.others;
  end
  $$;
  -- What \`take\` would see of budgets. Nothing is locked and nothing changed, unless a limit or the clock
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
  --             (remote/protocol.ts)
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
  -- What is asked most: one unit from each of some buckets under one limit. One statement takes it from
  -- rows that are as one would expect; those it can't take from it leaves as they are, locked, to
  -- \`carry_out\`. Parameters and answer are those of \`take\`. What it takes, it takes by the time before it
  -- has waited for any row, which is never too much; it is for where nobody waits long.
  create function spillway.take_one_each(
    ids text[], plan spillway.plan, at double precision, patience int
  ) returns text language plpgsql
  set plan_cache_mode = force_generic_plan set search_path = pg_catalog, pg_temp as $$
  declare
    now constant double precision := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
    -- The arithmetic of token-bucket.sql needs these, and fields of a row take longer to come by.
    definition constant text := plan.definition;
    scale constant double precision := plan.scale;
    gain constant double precision := plan.gain;
    "full" constant double precision := plan."full";
    setting text;
    states text[];
    charged int;
    rest record;
  begin
    setting := set_config('lock_timeout', patience::text, true);
    with taken as (
      insert into spillway.budgets as b
        (id, plan, used, since, previous, unsettled, blocked_until, fresh_at)
      select id, definition, scale, now, 0, scale, 0, now + ceil(scale / gain)
      from unnest(ids) as id
      order by id collate "C"
      on conflict (id) do update set
        used = spillway.bucket_used(b.used, b.since, gain, now) + scale,
        since = now,
        unsettled = least(b.unsettled, spillway.bucket_used(b.used, b.since, gain, now)) + scale,
        fresh_at = now + ceil((spillway.bucket_used(b.used, b.since, gain, now) + scale) / gain)
      where b.plan = definition and b.since <= now and b.blocked_until <= now
        and b.others is null
        and spillway.bucket_used(b.used, b.since, gain, now) + scale <= "full"
      returning b.id, (b.used - scale)::bigint || ',0,' || (b.unsettled - scale)::bigint as state
    )
    select array_agg(taken.state order by asked.place), count(taken.id) into states, charged
    from unnest(ids) with ordinality as asked(id, place) left join taken on taken.id = asked.id;

    if charged < cardinality(ids) then
      -- By the time after the rows are held: before, a wait for them would look like a clock gone back.
      select carried.* into rest from (
        select array_agg(ids[place]) as ids, array_agg(1) as ones, array_agg(0::double precision) as zeros,
          array_agg(number::double precision) as steps
        from unnest(array_positions(states, null)) with ordinality as one(place, number)
      ) as left_over, spillway.carry_out(
        left_over.ids, array[plan], left_over.ones, left_over.zeros, left_over.steps, at) as carried;
      charged := charged + rest.charged;
      -- All are told at one instant: of those taken from before, how long before.
      states := array(
        select coalesce(replace(state, ',0,', ',' || (rest.instant - now)::bigint || ','),
          rest.states[count(*) filter (where state is null) over (order by place)])
        from unnest(states) with ordinality as told(state, place) order by place);
      return rest.instant::bigint || ' ' || charged || ' ' || array_to_string(states, ';');
    end if;
    return now::bigint || ' ' || charged || ' ' || array_to_string(states, ';');
  end
  $$;
  -- What is asked most of all: some units of one bucket, ahead of time or not. One statement takes them from
  -- a row that is as one would expect; where it can't, \`carry_out\` does what is to be done. Parameters and
  -- answer are those of \`take\`.
  create function spillway.take_one(
    id text, plan spillway.plan, units double precision, ahead boolean,
    at double precision, patience int
  ) returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    definition constant text := plan.definition;
    gain constant double precision := plan.gain;
    taken constant double precision := units * plan.scale;
    most constant double precision := plan."full" + case when ahead then plan.spare else 0 end;
    setting text;
    now double precision;
    told text;
    carried record;
  begin
    if patience is not null then
      setting := set_config('lock_timeout', patience::text, true);
    else
      -- In a transaction of the caller's one may wait long for a row: the clock is read once it is held.
      perform from spillway.budgets as b where b.id = take_one.id for no key update;
    end if;
    now := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));

    insert into spillway.budgets as b
      (id, plan, used, since, previous, unsettled, blocked_until, fresh_at)
    values (take_one.id, definition, taken, now, 0, taken, 0, now + ceil(taken / gain))
    on conflict on constraint budgets_pkey do update set
      used = spillway.bucket_used(b.used, b.since, gain, now) + taken,
      since = now,
      unsettled = least(b.unsettled, spillway.bucket_used(b.used, b.since, gain, now)) + taken,
      fresh_at = now + ceil((spillway.bucket_used(b.used, b.since, gain, now) + taken) / gain)
    where b.plan = definition and b.since <= now and b.blocked_until <= now
      and b.others is null
      and spillway.bucket_used(b.used, b.since, gain, now) + taken <= most
    returning now::bigint || ' 1 ' || (b.used - taken)::bigint || ',0,' || (b.unsettled - taken)::bigint
    into told;
    if told is not null then return told; end if;

    carried := spillway.carry_out(array[id], array[plan], array[1], array[0::double precision],
      array[-1, 1, 1, units, ahead::int::double precision, 0, 0], at);
    return carried.instant::bigint || ' ' || carried.charged || ' ' || array_to_string(carried.states, ';');
  end
  $$;
  -- Looks at some rows after an id, in the order of ids, and removes those that say no more than no row
  -- would. What somebody has locked is in use and stays. Answers where it ended; '' begins anew.
  create function spillway.sweep(after text, amount int, at double precision)
  returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    now constant double precision := coalesce(at, floor(date_part('epoch', clock_timestamp()) * 1000));
    seen text[] := array(
      select id from spillway.budgets where id > after collate "C" order by id limit amount);
  begin
    delete from spillway.budgets where id = any (array(
      select id from spillway.budgets where id = any (seen) and fresh_at <= now for update skip locked));
    return case when cardinality(seen) < amount then '' else seen[amount] end;
  end
  $$;

  -- Which of some rows somebody has locked, as JSON.
  create function spillway.held(ids text[])
  returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
  declare
    free text[] := array(
      select id from spillway.budgets where id = any (ids) for no key update skip locked);
  begin
    return (
      select coalesce(json_agg(id), '[]')::text from spillway.budgets
      where id = any (ids) and not id = any (free));
  end
  $$;

  insert into spillway.migrations (version) values (1);
end
$install$;
`;
