-- Decodes the numbers of a value, which follow its definition:
--   marks   a byte that says what follows
--   since   6 bytes
--   used    3, 5 or 7 bytes: as many as 3 and twice the last two bits of `marks`
-- and where `marks` say so, 7 bytes each: what is unsettled, where that is neither all nor nothing of what is
-- used; `before`, the units of the window before. `at` is where the rest begins; nil if the value is too short.
local marks = byte(value, at) or 0
local size = marks % 4
local has_unsettled, has_previous = marks % 16 >= SOME_SETTLED, marks % 32 >= HAS_PREVIOUS
local length = at + 9 + 2 * size + (has_unsettled and 7 or 0) + (has_previous and 7 or 0)
if #value < length then
  at = nil
else
  since, used, at = unpack_bytes(size == 0 and "<i6I3" or size == 1 and "<i6I5" or "<i6I7", value, at + 1)
  unsettled = marks % 16 >= ALL_SETTLED and 0 or used
  if has_unsettled then unsettled, at = unpack_bytes("<I7", value, at) end
  if has_previous then before, at = unpack_bytes("<I7", value, at) end
end
