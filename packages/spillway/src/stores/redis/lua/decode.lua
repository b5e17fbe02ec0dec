-- Decodes the numbers of a value, which follow its definition:
--   marks   a byte of flags
--   since   6 bytes
--   used    3, 5 or 7 bytes: 3, plus twice the last two bits of `marks`
-- Then 7 bytes for each of these, if `marks` has its flag: `unsettled`, if it is neither 0 nor
-- `used`; and `before`, the units of the previous window.
-- The usual value of a bucket ends with 6 bytes more, until when its key is kept: see any-text.lua.
-- Reads  value; at, the first position after the definition
-- Sets   marks, used, since, unsettled, before; at, the position of the rest, or nil if the value
--        is too short
local bytes, marks = #value - at, nil
if bytes >= 9 then
  marks, since, used = unpack_bytes("<Bi6I3", value, at)
  unsettled, at = used, at + 10
  if marks > 0 then
    local size = marks % 4
    local has_unsettled, has_previous = marks % 16 >= SOME_SETTLED, marks % 32 >= HAS_PREVIOUS
    if bytes < 9 + 2 * size + (has_unsettled and 7 or 0) + (has_previous and 7 or 0) then
      at = nil
    else
      if size > 0 then used, at = unpack_bytes(size == 1 and "<I5" or "<I7", value, at - 3) end
      unsettled = marks % 16 >= ALL_SETTLED and 0 or used
      if has_unsettled then unsettled, at = unpack_bytes("<I7", value, at) end
      if has_previous then before, at = unpack_bytes("<I7", value, at) end
    end
  end
else
  at = nil
end
