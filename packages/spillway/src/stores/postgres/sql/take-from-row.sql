-- The rest of an insert: takes from a row of a bucket that is as expected.
on conflict (id) do update set
  used = v.ticks_missing(b.used, b.since, refill, now) + taken,
  since = now,
  unsettled = least(b.unsettled, v.ticks_missing(b.used, b.since, refill, now)) + taken,
  fresh_at = v.refilled_at(v.ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
where b.definition = limit_definition and b.since <= now and b.others is null
  and v.fits(b.blocked_until, v.ticks_missing(b.used, b.since, refill, now), taken, available, now)
returning b.id, (b.used - taken)::bigint || since_now
  || case when b.unsettled = b.used then '' else ',' || (b.unsettled - taken)::bigint end as state
