-- Computes the milliseconds until nothing is used of a bucket that was brought to now, if no share
-- is given back.
-- Reads  plan, now, used, since, shares; held, the ticks that are lent
-- Sets   reset_after
local missing, instant = used, since
for index = 1, #shares, SHARE_WIDTH do
  if shares[index] > since then
    missing = max(held, missing - (shares[index] - instant) * plan.refill_per_ms)
    instant, held = shares[index], held - shares[index + 1] * plan.ticks_per_unit
  end
end
reset_after = missing <= 0 and 0 or instant + ceil(missing / plan.refill_per_ms) - now
