-- What every kind shares of settling an estimate.

-- What is used, and what of it can still be settled, once an estimate has given way to the truth.
local function settled(present, unsettled, reserved, used, scale)
  local change = (used - reserved) * scale
  local next
  if change < 0 then
    next = present - math.min(-change, unsettled)
  else
    next = math.min(EXACT, present + change)
  end
  return next, math.min(math.max(0, unsettled - reserved * scale), next)
end
