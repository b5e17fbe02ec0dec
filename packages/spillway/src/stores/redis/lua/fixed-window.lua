-- Fixed window: `rate` units come back whenever a window ends; `since` is the beginning of one.
makers[3] = function()
  local window = {}

  function window.spent(state, plan)
    local gone = windows_gone(state, plan)
    return gone == 0 and state.used or math.max(0, state.used - gone * plan.rate)
  end

  function window.unsettled(state, plan)
    return math.min(state.unsettled, window.spent(state, plan))
  end

  local function write(state, plan, used, unsettled)
    state.since = state.since + windows_gone(state, plan) * plan.period
    state.used, state.unsettled = used, unsettled
  end

  function window.charge(state, plan, count)
    local spent, unsettled = window.spent(state, plan), window.unsettled(state, plan)
    write(state, plan, spent + count, unsettled + count)
  end

  function window.settle(state, plan, reserved, used)
    local spent, unsettled = window.spent(state, plan), window.unsettled(state, plan)
    write(state, plan, settled(spent, unsettled, reserved, used, plan.scale))
  end

  function window.reset_after(state, plan)
    local used = window.spent(state, plan)
    if used == 0 then return 0 end
    local windows = windows_gone(state, plan) + math.ceil(used / plan.rate)
    return state.since + windows * plan.period - now
  end

  function window.begin(state, plan, spent, unsettled, anchor, at)
    state.used, state.since, state.previous, state.unsettled =
      spent, window_start(plan, anchor, at), 0, unsettled
  end

  function window.inherits() return false end

  return window
end
