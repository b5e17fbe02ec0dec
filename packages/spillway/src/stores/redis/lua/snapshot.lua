-- Begins the reply with the states as they are before the steps.
-- Reads  used, since, unsettled, previous, blocked, overridden, record_of, plan_of, foreign, now
-- Sets   reply
local reply, settled_of = { now, 0 }, {}
for b = 1, budgets do
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  local is_used, is_open = used[b], unsettled[b]
  -- Expired entries are not shown, because they do not count, whatever the steps do.
  if plan_of[b].algorithm.note and not foreign[b] then
    is_used = plan_of[b].algorithm.used(b, plan_of[b])
    is_open = min(is_open, is_used)
  end
  -- A difference has fewer digits.
  reply[at + 1], reply[at + 2] = is_used, now - since[b]
  if is_open ~= is_used and not foreign[b] then settled_of[b] = is_used - is_open end
end
local at_more = #reply + 1
reply[at_more] = 0
if next(settled_of) or next(previous) or next(blocked) or next(overridden) or next(record_of) then
  for b = 1, budgets do
    local is_overridden, record, block = (overridden[b] or 0) > now, record_of[b], blocked[b] or 0
    if settled_of[b] or previous[b] or blocked[b] or is_overridden or record then
      local at, place = #reply, is_overridden and -b or b
      reply[at_more] = reply[at_more] + 1
      reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = place, settled_of[b] or 0, previous[b] or 0, block
      if record then
        reply[at + 4] = -1 - block
        reply[at + 5], reply[at + 6], reply[at + 7], reply[at + 8] = unpack(record, 1, REPLY_RECORD)
      end
      if is_overridden then show_override(b, reply) end
    end
  end
end
