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
  step float8;
  asks float8[];
  fits boolean;
  b int;
  last int;
  said float8[];
  drawn record;
begin
  charged := 0;
  while next <= cardinality(steps) loop
    step := steps[next];
    if step < :TAKE then
      b := steps[next + 1];
      last := next + v.step_width(steps, next) - 1;
      if step = :DRAW then
        said := steps[next + 1 + :FIELDS(step):last];
        drawn := v.draw(states[b], plans[b], steps[next + 1:next + :FIELDS(step)], said, now);
        next := last + 1;
        -- What is refused, and says nothing, changes nothing.
        continue when drawn.charged = 0 and said = '{}';
        charged := charged + drawn.charged;
        states[b] := drawn.state;
        written[b] := states[b];
        has_changed := true;
        continue;
      end if;
      states[b] := v.apply(states[b], plans[b], step, steps[next + 2], steps[next + 3], now);
      -- To end a block does not advance a row: a clock that goes back finds it as it was.
      written[b] := case when step <> :UNBLOCK then states[b]
        else v.apply(coalesce(written[b], stored[b]), plans[b], step, 0, 0, now) end;
      has_changed := true;
      next := last + 1;
      continue;
    end if;

    -- A take: from one budget, or from several if all of them have what is asked.
    if step > 0 then
      asks := array[step, 1, 0, 0, 0];
      next := next + 1;
    else
      asks := steps[next + 2:next + 1 + :ASK * steps[next + 1]::int];
      next := next + 2 + cardinality(asks);
    end if;
    fits := true;
    for ask in 1..cardinality(asks) by :ASK loop
      b := asks[ask];
      fits := fits and v.admits(states[b], plans[b], asks[ask + :ASK_COUNT], asks[ask + :ASK_RESERVE],
        asks[ask + :ASK_HEADROOM], now);
    end loop;
    continue when not fits;
    charged := charged + cardinality(asks) / :ASK;
    for ask in 1..cardinality(asks) by :ASK loop
      continue when asks[ask + :ASK_COUNT] = 0;
      b := asks[ask];
      states[b] := v.take(states[b], plans[b], asks[ask + :ASK_COUNT], asks[ask + :ASK_LEASE], now);
      written[b] := states[b];
      has_changed := true;
    end loop;
  end loop;
end $$;
