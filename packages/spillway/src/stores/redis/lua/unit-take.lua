-- Takes a unit, if there is one: the arithmetic of any-advance.lua, and the value of any-text.lua.
-- Reads  definition, unit, refill_per_ms, capacity, now, linger, used, since, kept
-- Sets   charged; text, the value to write, nil after a refusal; expiry, nil if the key's time
--        stays
text, expiry = nil, nil
local ticks = used - (now - since) * refill_per_ms
ticks = ticks > 0 and ticks + unit or unit
if ticks <= capacity then
  local reset_after = ceil(ticks / refill_per_ms)
  local stays = linger == 0 and kept and now + reset_after <= kept
  charged = charged + 1
  if ticks < 16777216 then
    if linger == 0 and not stays then
      reset_after = reset_after + floor(reset_after / 4)
      kept = now + reset_after
    end
    text = pack("<c0Bi6I3i6", definition, 0, now, ticks, kept or now)
  else text = pack("<c0Bi6I5", definition, 1, now, ticks)
  end
  if not stays then expiry = format("%d", reset_after + linger) end
end
