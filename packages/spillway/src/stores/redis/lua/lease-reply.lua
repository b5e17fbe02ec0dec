-- Returns the reply. For one step it is a text, which costs a third of a list: without the lease
-- that stands for all that are not shown apart, because that follows from the state.
-- Reads  charged; what it shows of the only budget, or states, more, shown
if is_one then
  if not end_one then return format("%d,%d,%d,%d", now, charged, used, now - since) end
  return format("%d,%d,%d,%d,%d,%d,%d", now, charged, used, now - since, end_one, units_one, id_one)
end
states[REPLY_CHARGED], states[#states + 1] = charged, #more / REPLY_MORE
for at = 1, #more do states[#states + 1] = more[at] end
for at = 1, #shown do states[#states + 1] = shown[at] end
return states
