-- Computes the milliseconds until nothing is used of a fixed window that was brought to now.
-- Reads  plan, now, used, since
-- Sets   reset_after
reset_after = used == 0 and 0 or since + ceil(used / plan.rate) * plan.period - now
