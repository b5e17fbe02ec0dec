-- Brings a bucket with lent units to now, from the end of one share to that of the next. Lent units
-- do not come back in between.
-- Reads  plan, now, shares
-- Sets   used, since; held, the ticks that are lent
local index, present = 1, max(now, since)
while index < #shares and shares[index] <= present do
  local instant = shares[index]
  if instant > since then
    used, since = max(held, used - (instant - since) * plan.refill_per_ms), instant
  end
  held, index = held - shares[index + 1] * plan.ticks_per_unit, index + SHARE_WIDTH
end
if now > since then used, since = max(held, used - (now - since) * plan.refill_per_ms), now end
