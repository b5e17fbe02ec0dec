-- The grid of windows that fixed and sliding windows share.

-- The beginning of the window that holds an instant, where some window begins at `anchor`.
local function window_start(plan, anchor, at)
  return at - (at - anchor) % plan.period
end

-- How many windows have ended since the state's window began; 0 while it lasts.
local function windows_gone(state, plan)
  local elapsed = now - state.since
  return elapsed < plan.period and 0 or math.floor(elapsed / plan.period)
end
