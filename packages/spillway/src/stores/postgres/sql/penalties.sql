-- Penalties: a budget that is refused again and again is blocked, for a time that doubles; penalties.ts and
-- penalty-record.ts are the specification. A penalty is after, within, block and most of its step: see
-- store/port/protocol.ts. A record is refusals, until, level and forgotten_at.
--
-- A row keeps the record as the `entries` of one of its others, so that no fast statement meets it: until it says nothing,
-- and a period more, for a clock that goes back. The definition of that one is a bucket that holds nothing. Older versions
-- read no further, and take it for one more definition of the limit, under which nothing can be counted: they keep it.

create function v.record_mark() returns text language sql immutable as $$
  select '1:0:1:1:0:0:0:1:-:Infinity/penalty' $$;

create function v.record_in(others spillway.other[]) returns float8[] language sql immutable as $$
  select other.entries from unnest(others) as other where other.definition = v.record_mark() $$;

create function v.without_record(others spillway.other[]) returns spillway.other[] language sql immutable as $$
  select array_agg(others[place] order by place) from generate_subscripts(others, 1) as place
  where (others[place]).definition <> v.record_mark() $$;

-- A state with its record among its others, as a row has it. By `since`, nothing of a record comes back if the
-- state goes back with the clock.
create function v.with_record(state v.state, plan v.plan) returns v.state language plpgsql immutable as $$
declare
  until constant float8 := greatest(state.penalty[2], state.penalty[4]) + plan.period;
begin
  if until > state.since then
    state.others := array_append(state.others,
      row(v.record_mark(), 0, 0, 0, 0, state.penalty, until)::spillway.other);
  end if;
  return state;
end $$;

create function v.earlier_record(record float8[], ms float8) returns float8[] language sql immutable as $$
  select array[record[1], greatest(0, record[2] - ms), record[3], greatest(0, record[4] - ms)] $$;

-- A record without its refusals and what has ended; null where nothing is left.
create function v.without_refusals(record float8[], now float8) returns float8[] language sql immutable as $$
  select nullif(array[0, case when record[1] = 0 and record[2] > now then record[2] else 0 end]
    || case when record[4] > now then record[3:4] else '{0,0}' end, '{0,0,0,0}') $$;

-- A record whose penalty has ended early, if there is one.
create function v.without_penalty(record float8[]) returns float8[] language sql immutable as $$
  select case when record[1] = 0 then array[0, 0] || record[3:4] else record end $$;

-- A record after one more refusal, without what has ended.
create function v.after_refusal(record float8[], within float8, now float8) returns float8[]
language sql immutable as $$
  select case when record[1] > 0 and record[2] > now then array[record[1] + 1, record[2]] else array[1, now + within] end
    || case when record[4] > now then record[3:4] else '{0,0}' end $$;

-- Counts a refusal on a state, which blocks it if it is one too many. Doubled 35 times, a millisecond is longer than
-- the longest block.
create function v.penalize(state v.state, plan v.plan, penalty float8[], now float8) returns v.state
language plpgsql immutable as $$
declare
  record constant float8[] := v.after_refusal(state.penalty, penalty[2], now);
begin
  state.penalty := record;
  if record[1] < penalty[1] then return state; end if;
  state := v.block(state, plan, least(penalty[3] * 2 ^ record[3], penalty[4]), now);
  state.penalty := array[0, state.blocked_until, least(record[3] + 1, 35), state.blocked_until + penalty[4]];
  return state;
end $$;

-- Counts the refusals of a take: for each budget that refuses by itself, unless it is blocked. The rest is as for
-- `execute_steps`.
create function v.count_refusals(
  plans v.plan[], stored v.state[], inout states v.state[], inout written v.state[],
  inout has_changed boolean, steps float8[], penalties int[], asks float8[], now float8
) language plpgsql stable as $$
declare
  b int;
  penalty float8[];
  counted v.state;
  before v.state;
begin
  for ask in 1..cardinality(asks) by :ASK loop
    b := asks[ask];
    penalty := steps[penalties[b] + 2:penalties[b] + 5];
    continue when (states[b]).blocked_until > now or coalesce(penalty[1], 0) = 0
      or v.all_admit(states, plans, asks[ask:ask + :ASK - 1], now);
    counted := v.penalize(states[b], plans[b], penalty, now);
    -- To count does not advance a row: a clock that goes back finds it as it was.
    before := coalesce(written[b], stored[b]);
    before.penalty := counted.penalty;
    written[b] := case when counted.blocked_until > now then counted else before end;
    states[b] := counted;
    has_changed := true;
  end loop;
end $$;
