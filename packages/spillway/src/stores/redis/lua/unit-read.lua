-- Decodes the usual value of a bucket, or one that has 5 bytes for what is used: see decode.lua.
-- Reads  value, definition, at, now
-- Sets   used, since; kept, until when the key is kept, if that is known; is_plain, false if
--        something is unusual
local bytes, marks = #value - at, nil
if bytes == 15 then marks, since, used, kept = unpack_bytes("<Bi6I3i6", value, at)
elseif bytes == 11 then marks, since, used = unpack_bytes("<Bi6I5", value, at)
end
is_plain = marks == (kept and 0 or 1) and since <= now and find(value, definition, 1, true) == 1
