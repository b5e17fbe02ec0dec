-- Fixed window: `rate` units come back whenever a window ends; `since` is the beginning of one.
local window = {}

function window.spent(b, plan)
  local gone = windows_gone(b, plan)
  return gone == 0 and used[b] or max(0, used[b] - gone * plan.rate)
end

local function write(b, plan, next_used, next_unsettled)
  since[b] = since[b] + windows_gone(b, plan) * plan.period
  used[b], unsettled[b] = next_used, next_unsettled
end

function window.charge(b, plan, count, spent)
  write(b, plan, spent + count, min(unsettled[b], spent) + count)
end

function window.reset_after(b, plan)
  local spent = window.spent(b, plan)
  if spent == 0 then return 0 end
  local windows = windows_gone(b, plan) + ceil(spent / plan.rate)
  return since[b] + windows * plan.period - now
end

if more_than_one then
  function window.unsettled(b, plan)
    return min(unsettled[b], window.spent(b, plan))
  end

  function window.settle(b, plan, reserved, really_used)
    local spent, open = window.spent(b, plan), window.unsettled(b, plan)
    -- The wait until all has come back must be exact.
    local most = plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
    local after, left = settled(spent, open, reserved, really_used, plan.scale)
    write(b, plan, min(after, max(spent, most)), left)
  end

  function window.begin(b, plan, spent, open, at)
    used[b], since[b], unsettled[b] = spent, window_start(plan, extras[b], at), open
    previous[b] = nil
  end

  function window.inherit() return false end
end

kinds[FIXED_WINDOW] = window
