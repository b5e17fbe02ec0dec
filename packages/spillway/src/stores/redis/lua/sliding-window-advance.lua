-- Brings `used`, `since`, `unsettled` and `before` of a sliding window to now. `before` has the
-- units of the previous window, or nil.
-- Reads  plan, now
-- Sets   used, since, unsettled, before
local elapsed = now - since
if elapsed >= plan.period then
  local ended = floor(elapsed / plan.period)
  before = ended == 1 and used > 0 and used or nil
  used, since, unsettled = 0, since + ended * plan.period, 0
end
