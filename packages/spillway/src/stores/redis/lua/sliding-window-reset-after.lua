-- Computes the milliseconds until nothing is remembered of a sliding window that was brought to
-- now.
-- Reads  plan, now, used, since, before
-- Sets   reset_after
reset_after = used > 0 and since + 2 * plan.period - now or before and since + plan.period - now or 0
