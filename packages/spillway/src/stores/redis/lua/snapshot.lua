-- The reply: the states as they are before the steps.
local reply = { now, 0 }
for b = 1, budgets do
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  -- Differences, so that few digits travel.
  reply[at + 1], reply[at + 2], reply[at + 3] = used[b], now - since[b], used[b] - unsettled[b]
end
local at_more = #reply + 1
reply[at_more] = 0
if next(previous) or next(blocked) then
  for b = 1, budgets do
    if previous[b] or blocked[b] then
      local at = #reply
      reply[at_more] = reply[at_more] + 1
      reply[at + 1], reply[at + 2], reply[at + 3] = b, previous[b] or 0, blocked[b] or 0
    end
  end
end
for b = 1, next(list_of) and budgets or 0 do
  if list_of[b] and not foreign[b] then
    reply[#reply + 1] = #list_of[b].entries
    for _, entry in ipairs(list_of[b].entries) do
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = entry.instant, entry.units, entry.id
    end
  end
end
