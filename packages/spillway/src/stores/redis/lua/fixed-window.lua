-- Fixed window: `rate` units come back whenever a window ends; `since` is the beginning of one.
local window = { is_aligned = true, is_reservable = true }

-- The numbers now: used, since, unsettled.
local function present(b, plan)
  local ended = windows_ended(b, plan)
  if ended == 0 then return used[b], since[b], unsettled[b] end
  local left = max(0, used[b] - ended * plan.rate)
  return left, since[b] + ended * plan.period, min(unsettled[b], left)
end

function window.used(b, plan)
  return (present(b, plan))
end

function window.advance(b, plan)
  used[b], since[b], unsettled[b] = present(b, plan)
end

function window.reset_after(b, plan)
  local left, start = present(b, plan)
  return left == 0 and 0 or start + ceil(left / plan.rate) * plan.period - now
end

-- The wait until all has come back must be exact.
function window.most_counts(plan)
  return plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
end

kinds[FIXED_WINDOW] = rate(window)
