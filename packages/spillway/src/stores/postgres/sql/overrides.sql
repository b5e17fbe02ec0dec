-- Overrides: for a time a budget has a definition of its own in place of its limit's; overrides.ts is the
-- specification. Its state is kept under that definition, as after every change of definition, and a mark stands before
-- those under others: a state of nothing, whose `previous` is the instant at which the override ends. It is kept for a
-- period more, for a clock that goes back.
--
-- The mark's definition is a bucket that holds nothing, followed by the one in place. Older versions read no further,
-- and take it for one more definition of the limit, under which nothing can be counted. So they keep the mark, decide
-- by the limit, and give the state another definition; whoever knows marks then goes back to the one in place.

create function v.override_mark() returns text language sql immutable as $$
  select '1:0:1:1:0:0:0:1:-:Infinity:' $$;

-- Whether there is a mark. It stays the first, for whatever is kept anew comes last.
create function v.is_marked(others spillway.other[]) returns boolean language sql immutable as $$
  select coalesce(starts_with((others[1]).definition, v.override_mark()), false) $$;

-- Whether the definition is one in place of the limit's.
create function v.is_override(others spillway.other[], definition text, now float8) returns boolean
language sql immutable as $$
  select v.is_marked(others) and (others[1]).definition = v.override_mark() || definition
    and (others[1]).previous > now $$;

create function v.without_mark(others spillway.other[]) returns spillway.other[] language sql immutable as $$
  select case when v.is_marked(others) then nullif(others[2:], '{}') else others end $$;

-- What of a plan's debt can be reserved: `startingInTime` in rate-plan.ts is the specification.
create function v.reservable(plan v.plan) returns float8 language sql immutable as $$
  select case when split_part(plan.definition, ':', 10) <> 'Infinity' then plan.debt_ticks
    else least(plan.debt_ticks, case plan.kind
      when :FIXED_WINDOW then floor(2147483647 / plan.period) * plan.rate
      when :LEAKY_BUCKET then greatest(0, 2147483647 * plan.refill_per_ms + plan.ticks_per_unit - plan.capacity_ticks)
      else 2147483647 * plan.refill_per_ms end) end $$;

-- The plan that applies to a row of the definition `was`: its override's, or that of the request. An override can't
-- stand in for a limit that lends units or has become one of another kind; a bucket stands in for every rate.
create function v.applying(state v.state, was text, plan v.plan, now float8) returns v.plan
language plpgsql immutable as $$
declare
  mark constant spillway.other := state.others[1];
  own v.plan;
begin
  if not v.is_marked(state.others) or mark.previous <= now or plan.share is not null then return plan; end if;
  own := v.plan_from(substr(mark.definition, length(v.override_mark()) + 1));
  if own.kind <> plan.kind and (own.kind <> :TOKEN_BUCKET or v.holds_leases(plan)) then return plan; end if;
  -- Its windows stay where they are.
  own.anchor := case when was = own.definition then state.since else plan.anchor end;
  -- What an ask sets aside of the debt is right for the plan that it was made for.
  own.debt_ticks := v.reservable(own) + plan.debt_ticks - v.reservable(plan);
  return own;
end $$;

-- The definition of the record of those that found no place, a bucket that never refills: `overflow.ts` is the
-- specification.
create function v.overflow() returns text language sql immutable as $$
  select '1:0:31622400000:1:0:1000000000:0:1:-:Infinity' $$;

-- What decides what a definition counts once an override has ended: used, since, unsettled, previous and until when
-- it is kept, of its own state. Where there is none, how many others are kept, and the same of the record of more.
create function v.kept_after(others spillway.other[], definition text, ends float8) returns text
language sql immutable as $$
  select coalesce(string_agg(kept.numbers, '') filter (where kept.definition = $2),
    concat_ws(',', count(*) filter (where kept.definition <> v.overflow()),
      string_agg(kept.numbers, '') filter (where kept.definition = v.overflow())))
  from (
    select other.definition,
      concat_ws(',', used::bigint, since::bigint, unsettled::bigint, previous::bigint, until::bigint) as numbers
    from unnest(others[2:]) as other where until > ends
  ) as kept $$;

-- A snapshot; under an override of a definition also its end, and what is kept then: see execute.sql.
create function v.override_snapshot(snapshot text, state v.state, own v.plan, definition text, now float8)
returns text language plpgsql immutable as $$
declare
  ends constant float8 := (state.others[1]).previous;
begin
  if not v.is_override(state.others, own.definition, now) then return snapshot; end if;
  return concat(snapshot, case when position(':' in snapshot) = 0 then ':' end, ':', ends::bigint, ':',
    v.kept_after(state.others, definition, ends), ':', own.definition);
end $$;

-- Keeps the state under a limit's definition, beside one in its place, at least until an instant.
create function v.keep_until(others spillway.other[], plan v.plan, until float8, now float8)
returns spillway.other[] language plpgsql immutable as $$
declare
  known int;
  kept spillway.other;
begin
  for n in 1..coalesce(cardinality(others), 0) loop
    if (others[n]).definition = plan.definition then known := n; end if;
  end loop;
  if known is null then
    if v.is_full(others) then return others; end if;
    return array_append(others, v.as_other(
      v.begin(row(0, 0, 0, 0, 0, null, null, null, null)::v.state, plan, 0, 0, now), plan.definition, until));
  end if;
  kept := others[known];
  kept.until := greatest(kept.until, until);
  return array_append(others[:known - 1] || others[known + 1:], kept);
end $$;

-- Puts a definition in place of the limit's until an instant.
create function v.put_in_place(state v.state, plan v.plan, own v.plan, until float8, now float8) returns v.state
language plpgsql stable as $$
begin
  if own.definition <> plan.definition then
    state := v.switch_to(state, plan.definition, own, now);
    state.others := v.keep_until(state.others, plan, least(v.exact(), until + v.memory(plan)), now);
  end if;
  state.others := row(v.override_mark() || own.definition, 0, 0, until, 0, null, until + own.period)::spillway.other
    || state.others;
  return state;
end $$;
