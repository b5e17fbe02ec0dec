-- A state of a row, fit to be asked at `now`, with those under other definitions of its limit.
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
