-- Fixed window: `rate` units come back at the end of each window. `since` is the beginning of a
-- window.
local window = { is_aligned = true, is_reservable = true }

function window.used(b, plan)
  local used, since, unsettled = used[b], since[b], 0
  --include fixed-window-advance.lua
  return used
end

local all_used, all_since, all_unsettled = used, since, unsettled
function window.advance(b, plan)
  local used, since, unsettled = used[b], since[b], unsettled[b]
  --include fixed-window-advance.lua
  all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
end

function window.reset_after(b, plan)
  local used, since, unsettled, reset_after = used[b], since[b], 0, nil
  --include fixed-window-advance.lua
  --include fixed-window-reset-after.lua
  return reset_after
end

-- The wait until everything has come back must be exact.
function window.most_counts(plan)
  return plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
end

kinds[FIXED_WINDOW] = rate(window)
