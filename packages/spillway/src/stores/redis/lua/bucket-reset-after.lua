-- Milliseconds until nothing of a bucket that was brought to now is used.
reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
