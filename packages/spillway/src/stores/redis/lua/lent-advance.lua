-- Brings a state to now, and drops shares that have ended.
-- Reads  b, plan, kind, now
-- Sets   used, since, unsettled, before; shares, lent and text_of, without ended shares; ticks_of,
--        those used now
if shares and kind == TOKEN_BUCKET then
  local held = lent * plan.ticks_per_unit
  --include shares-bucket.lua
  unsettled, ticks_of[b] = min(unsettled, used - held), used
else
  --include any-advance.lua
  ticks_of[b] = ticks
end
while shares and shares[1] and shares[1] <= now do
  lent, text_of[b] = lent - shares[2], nil
  for _ = 1, SHARE_WIDTH do remove(shares, 1) end
end
