-- Brings `used`, `since` and `unsettled` of a bucket to now: ticks come back each millisecond.
-- Reads  plan, now
-- Sets   used, since, unsettled
local elapsed = now - since
if elapsed > 0 then
  used, since = used - elapsed * plan.refill_per_ms, now
  if used < 0 then used = 0 end
  if unsettled > used then unsettled = used end
end
