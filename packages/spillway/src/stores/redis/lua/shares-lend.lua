-- Lends units: at most half of those left, and at most half of the capacity in all.
-- Reads  plan, id, want; ticks, those used now; ends, the instant at which a new share ends
-- Sets   units, those lent; shares, in place; lent
local units = 0
if want > 0 and #shares < SHARE_WIDTH * MOST_SHARES then
  local half = floor(plan.capacity_ticks / plan.ticks_per_unit / 2)
  units = min(want, ceil(floor((plan.capacity_ticks - ticks) / plan.ticks_per_unit) / 2), half - lent)
end
if units > 0 then
  -- If `share` has become shorter, the list must stay in order. A later end is safe.
  local all, instant = units, max(ends, shares[#shares - 2] or ends)
  for index = #shares, SHARE_WIDTH, -SHARE_WIDTH do
    if shares[index] == id then
      all = all + shares[index - 1]
      for _ = 1, SHARE_WIDTH do remove(shares, index - 2) end
    end
  end
  local last = #shares
  shares[last + 1], shares[last + 2], shares[last + 3] = instant, all, id
  lent = lent + units
else
  units = 0
end
