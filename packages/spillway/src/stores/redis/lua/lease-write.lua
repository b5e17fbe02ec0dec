-- Encodes a state after its step. A release leaves the time of its key, which is kept until the
-- newest lease would have ended, even if that one is released.
-- Reads  definition, period, now, linger, since, latest, tail, put, left, id
-- Sets   text, expiry
local reset_after = nil
if put > 0 then
  reset_after = period
  text = pack("<c0Bi6I3c0i6I4I7", definition, ALL_SETTLED, now, left, tail, now + period, put, id)
elseif left == 0 then
  text = ""
else
  text = pack("<c0Bi6I3c0", definition, ALL_SETTLED, since, left, tail)
  if linger > 0 then reset_after = latest - now end
end
if reset_after then
  --include expiry.lua
end
