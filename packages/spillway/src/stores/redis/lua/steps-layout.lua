-- How many numbers a step is, with its own.
--fields
function width_of(at)
  local step, asks = steps[at], steps[at + 1]
  if step > 0 then return 1 end
  return 1 + FIELDS[step] + (step == TAKE and ASK * asks or step == TAKE_UNITS and asks or 0)
end
