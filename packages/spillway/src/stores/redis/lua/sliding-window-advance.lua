-- Brings `used`, `since`, `unsettled` and `before`, the units of the window before, of a sliding window to now.
local elapsed = now - since
if elapsed >= plan.period then
  local ended = floor(elapsed / plan.period)
  before = ended == 1 and used or 0
  used, since, unsettled = 0, since + ended * plan.period, 0
end
