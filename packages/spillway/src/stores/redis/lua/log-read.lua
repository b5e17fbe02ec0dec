-- Decodes a log whose entries are all in its value, and leaves out those that have expired. Shows
-- its oldest entry, and all others as one.
-- Reads  plan, definition, now, value, count
-- Sets   used, since, unsettled; tail, its entries; last and sum, the newest of them; shown;
--        is_plain, false if something is unusual
if find(value, definition, 1, true) == 1 then
  local at = #definition + 1
  --include decode.lua
  local entries = at and #value + 1 - at or 0
  is_plain = at and marks < HAS_PREVIOUS and entries > 0 and entries % ENTRY_BYTES == 0
  if is_plain then
    local first, over, instant, reached = at, now - plan.period, nil, nil
    last, sum = unpack_bytes(ENTRY, value, #value - ENTRY_BYTES + 1)
    local base = sum - used
    if base < 0 then base = base + SUMS end
    instant, reached = unpack_bytes(ENTRY, value, first)
    while instant <= over and first < #value do
      base, first = reached, first + ENTRY_BYTES
      if first < #value then instant, reached = unpack_bytes(ENTRY, value, first) end
    end
    used = sum - base
    if used < 0 then used = used + SUMS end
    if unsettled > used then unsettled = used end
    tail = sub(value, first)
    if used > 0 then
      local units = reached - base
      if units < 0 then units = units + SUMS end
      shown[count + 1], shown[count + 2] = instant, units
      if units < used then shown[count + 3], shown[count + 4] = last, used - units end
      shown[count] = (count - #shown) / 2
    elseif tail ~= "" then
      is_plain = false
    end
  end
else
  is_plain = false
end
