-- Encodes a state after its step. A release leaves the time of its key: the key is kept until the
-- newest lease ends, also if that one is released.
-- Reads  b, plan, now, linger, since, latest, tail, put, left, id
-- Sets   texts, expiries
local reset_after, expiry = nil, nil
if put > 0 then
  reset_after = plan.period
  texts[b] = pack("<c0Bi6I3c0i6I4I7", plan.definition, ALL_SETTLED, now, left, tail, now + reset_after, put, id)
elseif left == 0 then
  texts[b] = ""
else
  texts[b] = pack("<c0Bi6I3c0", plan.definition, ALL_SETTLED, since, left, tail)
  if linger > 0 then reset_after = latest - now end
end
if reset_after then
  --include expiry.lua
  expiries[b] = expiry
end
