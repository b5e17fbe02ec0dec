-- What is asked most of all: some units of one bucket, ahead of time or not. One statement takes them from
-- a row that is as one would expect; where it can't, `carry_out` does what is to be done. Parameters and
-- answer are those of `take`.
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
    array[:TAKE, 1, 1, units, ahead::int::double precision, 0, 0], at);
  return carried.instant::bigint || ' ' || carried.charged || ' ' || array_to_string(carried.states, ';');
end
$$;
