-- Returns the reply.
-- Reads  charged; what it shows of the only budget, or states, more, shown
if is_one and used > 0 then
  return { now, charged, used, now - since, 1, 1, used, 0, 0, parts, end_one, units_one, id_one, parts > 1 and end_two or nil, units_two, -2 }
elseif is_one then return { now, charged, 0, now - since, 0, 0 }
end
states[REPLY_CHARGED], states[#states + 1] = charged, #more / REPLY_MORE
for at = 1, #more do states[#states + 1] = more[at] end
for at = 1, #shown do states[#states + 1] = shown[at] end
return states
