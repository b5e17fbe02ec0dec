-- Sliding window: counts the units of this window, and those of the previous one, weighted by the
-- part of it that the last period still covers.
local window = { is_aligned = true, has_history = true, counts_units = true }

function window.define(plan)
  plan.ticks_per_unit = plan.period
end

function window.used(b, plan)
  local used, since, unsettled, before, ticks = used[b], since[b], 0, previous[b], nil
  --include sliding-window-advance.lua
  --include sliding-window-used.lua
  return ticks
end

local all_used, all_since, all_unsettled = used, since, unsettled
function window.advance(b, plan)
  local used, since, unsettled, before = used[b], since[b], unsettled[b], previous[b]
  --include sliding-window-advance.lua
  all_used[b], all_since[b], all_unsettled[b], previous[b] = used, since, unsettled, before
end

function window.reset_after(b, plan)
  local used, since, unsettled, before, reset_after = used[b], since[b], 0, previous[b], nil
  --include sliding-window-advance.lua
  --include sliding-window-reset-after.lua
  return reset_after
end

function window.most_counts(plan)
  return floor(EXACT / plan.period)
end

kinds[SLIDING_WINDOW] = rate(window)
