-- Sliding window: this window's units, and those of the one before, weighted by what of it is left.
makers[4] = function()
  local window = {}

  local function turn(state, plan)
    local gone = windows_gone(state, plan)
    if gone == 0 then return state.used, state.previous, state.unsettled, state.since end
    return 0, gone == 1 and state.used or 0, 0, state.since + gone * plan.period
  end

  function window.spent(state, plan)
    local used, previous, _, since = turn(state, plan)
    return used * plan.period + previous * (plan.period - math.max(0, now - since))
  end

  function window.unsettled(state, plan)
    local _, _, unsettled = turn(state, plan)
    return unsettled * plan.scale
  end

  function window.charge(state, plan, count)
    local used, previous, unsettled, since = turn(state, plan)
    state.used, state.previous, state.unsettled, state.since =
      used + count, previous, unsettled + count, since
  end

  function window.settle(state, plan, reserved, really_used)
    local used, previous, unsettled, since = turn(state, plan)
    local most = math.floor(EXACT / plan.period) - previous
    used, unsettled = settled(used, unsettled, reserved, really_used, 1)
    state.used, state.previous, state.unsettled, state.since =
      math.min(used, most), previous, unsettled, since
  end

  function window.reset_after(state, plan)
    local used, previous, _, since = turn(state, plan)
    if used > 0 then return since + 2 * plan.period - now end
    return previous > 0 and since + plan.period - now or 0
  end

  function window.begin(state, plan, spent, unsettled, anchor, at)
    state.used, state.since, state.previous, state.unsettled =
      math.ceil(spent / plan.scale), window_start(plan, anchor, at), 0,
      math.floor(unsettled / plan.scale)
  end

  function window.inherits(plan, from)
    return plan.period == from.period and plan.start == from.start
  end

  return window
end
