-- Token bucket: `gain` parts drip back each millisecond.
makers[1] = function()
  local bucket = {}

  function bucket.spent(state, plan)
    local elapsed = now - state.since
    if elapsed <= 0 then return state.used end
    local left = state.used - elapsed * plan.gain
    return left > 0 and left or 0
  end

  function bucket.unsettled(state, plan)
    return math.min(state.unsettled, bucket.spent(state, plan))
  end

  local function write(state, used, unsettled)
    state.used, state.unsettled = used, unsettled
    if now > state.since then state.since = now end
  end

  function bucket.charge(state, plan, count)
    local spent = bucket.spent(state, plan)
    local taken = count * plan.scale
    write(state, spent + taken, math.min(state.unsettled, spent) + taken)
  end

  function bucket.settle(state, plan, reserved, used)
    local spent, unsettled = bucket.spent(state, plan), bucket.unsettled(state, plan)
    write(state, settled(spent, unsettled, reserved, used, plan.scale))
  end

  function bucket.reset_after(state, plan)
    local used = bucket.spent(state, plan)
    if used == 0 then return 0 end
    return math.max(0, state.since - now) + math.ceil(used / plan.gain)
  end

  function bucket.begin(state, _, spent, unsettled, _, at)
    state.used, state.since, state.previous, state.unsettled = spent, at, 0, unsettled
  end

  function bucket.inherits() return false end

  return bucket
end
