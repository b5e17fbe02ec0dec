-- Sliding window: this window's units, and those of the one before, weighted by what of it is left.
local window = {}

-- The numbers as they are now: used, previous, unsettled, since.
local function present(b, plan)
  local gone = windows_gone(b, plan)
  if gone == 0 then return used[b], previous[b] or 0, unsettled[b], since[b] end
  return 0, gone == 1 and used[b] or 0, 0, since[b] + gone * plan.period
end

function window.spent(b, plan)
  local units, before, _, start = present(b, plan)
  return units * plan.period + before * (plan.period - max(0, now - start))
end

function window.charge(b, plan, count)
  local units, before, open, start = present(b, plan)
  used[b], previous[b], unsettled[b], since[b] = units + count, before, open + count, start
end

function window.reset_after(b, plan)
  local units, before, _, start = present(b, plan)
  if units > 0 then return start + 2 * plan.period - now end
  return before > 0 and start + plan.period - now or 0
end

if more_than_one then
  function window.unsettled(b, plan)
    local _, _, open = present(b, plan)
    return open * plan.scale
  end

  function window.settle(b, plan, reserved, really_used)
    local units, before, open, start = present(b, plan)
    local most = max(units, floor(EXACT / plan.period) - before)
    units, open = settled(units, open, reserved, really_used, 1)
    used[b], previous[b], unsettled[b], since[b] = min(units, most), before, open, start
  end

  function window.begin(b, plan, spent, open, at)
    used[b], since[b] = ceil(spent / plan.scale), window_start(plan, extras[b], at)
    previous[b], unsettled[b] = nil, floor(open / plan.scale)
  end

  function window.inherit(b, plan, from)
    local function start(definition) return string.match(definition, ",([^,\n]+)\n") end
    local same = plan.period == from.period and start(plan.definition) == start(from.definition)
    return same and window.spent(b, plan) <= plan.full
  end
end

kinds[SLIDING_WINDOW] = window
