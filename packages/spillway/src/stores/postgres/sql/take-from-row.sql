-- The columns of a row of a bucket that is as expected, and which rows are.
  used = v.ticks_missing(b.used, b.since, refill, now) + taken,
  since = now,
  unsettled = least(b.unsettled, v.ticks_missing(b.used, b.since, refill, now)) + taken,
  fresh_at = v.refilled_at(v.ticks_missing(b.used, b.since, refill, now) + taken, now, refill)
where b.definition = limit_definition and b.since <= now and b.others is null
  and v.fits(b.blocked_until, v.ticks_missing(b.used, b.since, refill, now), taken, available, now)
