-- Sliding window: the units of this window, and those of the one before, weighted by how much of it the
-- last period still covers.
local window = { is_aligned = true, has_history = true, counts_units = true }

function window.define(plan)
  plan.ticks_per_unit = plan.period
end

-- The numbers now: used, since, unsettled, previous.
local function present(b, plan)
  local ended = windows_ended(b, plan)
  if ended == 0 then return used[b], since[b], unsettled[b], previous[b] or 0 end
  return 0, since[b] + ended * plan.period, 0, ended == 1 and used[b] or 0
end

function window.used(b, plan)
  local units, start, _, before = present(b, plan)
  return units * plan.period + before * (plan.period - max(0, now - start))
end

function window.advance(b, plan)
  used[b], since[b], unsettled[b], previous[b] = present(b, plan)
end

function window.reset_after(b, plan)
  local units, start, _, before = present(b, plan)
  if units > 0 then return start + 2 * plan.period - now end
  return before > 0 and start + plan.period - now or 0
end

function window.most_counts(plan)
  return floor(EXACT / plan.period)
end

kinds[SLIDING_WINDOW] = rate(window)
