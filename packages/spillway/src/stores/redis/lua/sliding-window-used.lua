-- Ticks used of a sliding window that was brought to now.
ticks = used * plan.period + before * (plan.period - max(0, now - since))
