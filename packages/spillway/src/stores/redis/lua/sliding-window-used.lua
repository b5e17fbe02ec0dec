-- Computes the ticks used of a sliding window that was brought to now.
-- Reads  plan, now, used, since, before
-- Sets   ticks
ticks = used * plan.period
if before then ticks = ticks + before * (plan.period - max(0, now - since)) end
