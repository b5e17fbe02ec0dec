-- Encodes a definition and its numbers as `text`, and adds their flags to `marks`: see decode.lua.
-- Reads  definition, used, since, unsettled, before; noted, nil but for buckets on the fast path
-- Sets   marks, text
if used < 16777216 and unsettled == used and not before then
  if noted then text = pack("<c0Bi6I3i6", definition, marks, since, used, noted)
  else text = pack("<c0Bi6I3", definition, marks, since, used)
  end
else
  local numbers, more = "<c0Bi6I3", ""
  if used >= 1099511627776 then numbers, marks = "<c0Bi6I7", marks + 2
  elseif used >= 16777216 then numbers, marks = "<c0Bi6I5", marks + 1
  end
  if unsettled ~= used and unsettled == 0 then marks = marks + ALL_SETTLED
  elseif unsettled ~= used then marks, more = marks + SOME_SETTLED, pack("<I7", unsettled)
  end
  if before then marks, more = marks + HAS_PREVIOUS, more .. pack("<I7", before) end
  text = pack(numbers, definition, marks, since, used) .. more
end
