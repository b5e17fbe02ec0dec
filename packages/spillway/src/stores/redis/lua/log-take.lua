-- Takes one unit of a log, and encodes it.
-- Reads  b, plan, definition, now, linger, used, unsettled, before, tail, last, sum
-- Sets   texts, expiry_of, charged
local marks, noted, reset_after, expiry, text = 0, nil, plan.period, nil, nil
if tail == "" then sum = 1
else
  sum = sum >= SUMS - 1 and sum - (SUMS - 1) or sum + 1
  if last == now then tail = sub(tail, 1, -ENTRY_BYTES - 1) end
end
used, unsettled, since, charged = used + 1, unsettled + 1, now, charged + 1
--include encode.lua
texts[b] = text .. tail .. pack(ENTRY, now, sum)
if not expiry_of[plan] then
  --include expiry.lua
  expiry_of[plan] = expiry
end
