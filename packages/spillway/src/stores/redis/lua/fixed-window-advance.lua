-- Brings `used`, `since` and `unsettled` of a fixed window to now, across all windows that have
-- ended.
-- Reads  plan, now
-- Sets   used, since, unsettled
local elapsed = now - since
if elapsed >= plan.period then
  local ended = floor(elapsed / plan.period)
  used, since = used - ended * plan.rate, since + ended * plan.period
  if used < 0 then used = 0 end
  if unsettled > used then unsettled = used end
end
