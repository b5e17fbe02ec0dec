-- What is used, and what of it can still be settled, once an estimate has given way to the truth.
function settled(spent, open, reserved, really_used, scale)
  local change = (really_used - reserved) * scale
  local next
  if change < 0 then
    next = spent - min(-change, open)
  else
    next = min(EXACT, spent + change)
  end
  return next, min(max(0, open - reserved * scale), next)
end
