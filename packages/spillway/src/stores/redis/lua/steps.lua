-- What was asked, step by step.
local charged = 0

-- Whether a budget has what is asked of it.
local function admits(state, count, ahead)
  if state.foreign or state.blocked > now then return false end
  local plan = state.plan
  local needed = (count == 0 and 1 or count) * plan.scale
  local most = ahead == 1 and plan.full + plan.spare or plan.full
  return plan.algorithm.spent(state, plan) + needed <= most
end

local function charge(state, count)
  charged = charged + 1
  if count == 0 then return end
  state.plan.algorithm.charge(state, state.plan, count)
  state.dirty = true
end

local operations = {}

function operations.take(states, at)
  local last = at + 1 + 3 * steps[at + 1]
  for ask = at + 2, last, 3 do
    if not admits(states[steps[ask]], steps[ask + 1], steps[ask + 2]) then return last end
  end
  for ask = at + 2, last, 3 do charge(states[steps[ask]], steps[ask + 1]) end
  return last
end

-- The others change one state that is ours.
local function on_one(arguments, change)
  return function(states, at)
    local state = states[steps[at + 1]]
    if not state.foreign then
      change(state, steps[at + 2], steps[at + 3])
      state.dirty = true
    end
    return at + arguments
  end
end

operations.settle = on_one(3, function(state, reserved, used)
  state.plan.algorithm.settle(state, state.plan, reserved, used)
end)
operations.reset = on_one(1, function(state) begin_state(state, state.plan) end)
operations.block = on_one(2, function(state, ms) state.blocked = now + ms end)
operations.unblock = on_one(1, function(state) state.blocked = 0 end)

local by_number = {
  operations.take, operations.settle, operations.reset, operations.block, operations.unblock,
}

local function run_steps(states)
  local at = 1
  while at <= #steps do
    local step = steps[at]
    if step > 0 then
      local state = states[step]
      if admits(state, 1, 0) then charge(state, 1) end
    else
      at = by_number[-step](states, at)
    end
    at = at + 1
  end
end
