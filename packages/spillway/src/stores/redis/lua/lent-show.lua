-- Adds a state to the reply, as it is before the steps.
-- Reads  b, plan, kind, now, used, since, unsettled, before, shares
-- Sets   reply, more, seen
local place = REPLY_HEAD + REPLY_STATE * (b - 1)
reply[place + 1], reply[place + 2] = used, now - since
if before or unsettled ~= used then
  more = more or {}
  local last = #more
  more[last + 1], more[last + 2], more[last + 3], more[last + 4] = b, used - unsettled, before or 0, 0
end
if kind ~= plan.kind then
  local last = #seen + 1
  seen[last] = shares and #shares / SHARE_WIDTH or 0
  for index = 1, shares and #shares or 0 do seen[last + index] = shares[index] end
end
