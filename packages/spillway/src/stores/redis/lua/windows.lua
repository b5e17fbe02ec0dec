-- The grid of windows that fixed and sliding windows share.

-- The beginning of the window that holds an instant, where some window begins at `anchor`.
function window_start(plan, anchor, at)
  return at - (at - anchor) % plan.period
end

-- How many windows have ended since the state's window began; 0 while it lasts.
function windows_gone(b, plan)
  local elapsed = now - since[b]
  return elapsed < plan.period and 0 or floor(elapsed / plan.period)
end
