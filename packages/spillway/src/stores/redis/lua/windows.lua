-- How many windows have ended since the state's window began; 0 while it lasts.
local function windows_ended(b, plan)
  local elapsed = now - since[b]
  return elapsed < plan.period and 0 or floor(elapsed / plan.period)
end
