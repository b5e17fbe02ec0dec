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
  local list = not foreign[b] and list_of[b]
  if list then
    local at, unread = #reply + 1, list.is_whole == false and { list.newest } or {}
    reply[at] = #list.entries + #unread
    for _, entries in ipairs({ list.entries, unread }) do
      for _, entry in ipairs(entries) do
        reply[#reply + 1], reply[#reply + 2] = entry.instant, entry.units
        reply[#reply + 1] = entry.id
      end
    end
  end
end
