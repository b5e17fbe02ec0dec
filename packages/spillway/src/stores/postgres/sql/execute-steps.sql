-- The asks of a take, one after the other: from one budget, or from several if all of them have what is asked.
create function v.asks_at(steps float8[], at int) returns float8[] language sql immutable as $$
  select case when steps[at] > 0 then array[steps[at], 1, 0, 0, 0]
    else steps[at + 2:at + 1 + :ASK * steps[at + 1]::int] end $$;

-- Whether each budget has what is asked of it.
create function v.all_admit(states v.state[], plans v.plan[], asks float8[], now float8) returns boolean
language plpgsql immutable as $$
declare
  b int;
begin
  for ask in 1..cardinality(asks) by :ASK loop
    b := asks[ask];
    if not v.admits(states[b], plans[b], asks[ask + :ASK_COUNT], asks[ask + :ASK_RESERVE],
      asks[ask + :ASK_HEADROOM], now) then return false; end if;
  end loop;
  return true;
end $$;

-- Executes a step of one budget that is no take. `written` is null where nothing changes.
create function v.change(
  plan v.plan, stored v.state, inout state v.state, inout written v.state, steps float8[], at int, now float8,
  out charged bigint
) language plpgsql stable as $$
declare
  step constant float8 := steps[at];
  said float8[];
  drawn record;
begin
  charged := 0;
  if step = :DRAW then
    said := steps[at + 1 + :FIELDS(step):at + v.step_width(steps, at) - 1];
    drawn := v.draw(state, plan, steps[at + 1:at + :FIELDS(step)], said, now);
    -- What is refused, and says nothing, changes nothing.
    if drawn.charged = 0 and said = '{}' then return; end if;
    charged := drawn.charged;
    state := drawn.state;
    written := state;
    return;
  end if;
  state := v.apply(state, plan, step, steps[at + 2], steps[at + 3], now);
  -- To end a block does not advance a row: a clock that goes back finds it as it was.
  written := case when step <> :UNBLOCK then state
    else v.apply(coalesce(written, stored), plan, step, 0, 0, now) end;
end $$;

-- Executes steps on states that are advanced to `now`.
--
--   stored   the states as they are in their rows, but reconciled
--   states   the same, advanced
--   written  those of them that are to be written; null where nothing changes
create function v.execute_steps(
  plans v.plan[], stored v.state[], inout states v.state[], inout written v.state[],
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
    if step < :TAKE then
      next := at + v.step_width(steps, at);
      b := steps[at + 1];
      if step = :PENALTY then
        penalties[b] := at;
        continue;
      end if;
      changed := v.change(plans[b], stored[b], states[b], written[b], steps, at, now);
      states[b] := changed.state;
      written[b] := changed.written;
      charged := charged + changed.charged;
      has_changed := has_changed or (written[b]).used is not null;
      continue;
    end if;

    asks := v.asks_at(steps, at);
    next := at + case when step > 0 then 1 else 2 + cardinality(asks) end;
    if v.all_admit(states, plans, asks, now) then
      charged := charged + cardinality(asks) / :ASK;
      for ask in 1..cardinality(asks) by :ASK loop
        continue when asks[ask + :ASK_COUNT] = 0;
        b := asks[ask];
        states[b] := v.take(states[b], plans[b], asks[ask + :ASK_COUNT], asks[ask + :ASK_LEASE], now);
        written[b] := states[b];
        has_changed := true;
      end loop;
    elsif penalties is not null then
      select * into states, written, has_changed
      from v.count_refusals(plans, stored, states, written, has_changed, steps, penalties, asks, now);
    end if;
  end loop;
end $$;
