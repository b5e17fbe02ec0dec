-- The reply: the states as they are before the steps. Few have been blocked or remember a window.
local reply, more = { now, 0 }, {}
-- Those beyond the budgets are under other definitions.
for b in pairs(previous) do more[b] = b <= budgets or nil end
for b in pairs(blocked) do more[b] = true end
for b = 1, budgets do
  local at = 3 * b
  reply[at], reply[at + 1] = foreign[b] and -1 or used[b], now - since[b]
  reply[at + 2] = used[b] - unsettled[b]
end
local many = #reply + 1
reply[many] = 0
for b in pairs(more) do
  reply[many] = reply[many] + 1
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = b, previous[b] or 0, blocked[b] or 0
end
for b = 1, (needed[SLIDING_LOG] or needed[CONCURRENCY]) and budgets or 0 do
  local kind = not foreign[b] and plan_of[b].kind
  local log, leases = kind == SLIDING_LOG and log_of[b], kind == CONCURRENCY and leases_of[b]
  if log then
    reply[#reply + 1] = #log.entries + (log.whole and 0 or 1)
    for _, entry in ipairs(log.entries) do
      reply[#reply + 1], reply[#reply + 2] = entry[1], entry[2]
    end
    if not log.whole then
      reply[#reply + 1], reply[#reply + 2] = log.newest[1], log.newest[2]
    end
  elseif leases then
    reply[#reply + 1] = #leases.entries
    for _, entry in ipairs(leases.entries) do
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = entry[1], entry[2], entry[3]
    end
  end
end
