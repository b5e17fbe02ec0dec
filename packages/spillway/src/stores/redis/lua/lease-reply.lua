-- Returns the reply. The text of a few numbers costs a third of a list of all.
-- Reads  charged; what it shows of the only budget, or states, more, shown
if is_one then
  if used == 0 then return format("%d,%d,0,%d", now, charged, now - since) end
  if parts == 1 then
    return format("%d,%d,%d,%d,%d,%d,%d", now, charged, used, now - since, end_one, units_one, id_one)
  end
  return format(
    "%d,%d,%d,%d,%d,%d,%d,%d,%d,-2", now, charged, used, now - since, end_one, units_one, id_one, end_two, units_two
  )
end
states[REPLY_CHARGED], states[#states + 1] = charged, #more / REPLY_MORE
for at = 1, #more do states[#states + 1] = more[at] end
for at = 1, #shown do states[#states + 1] = shown[at] end
return states
