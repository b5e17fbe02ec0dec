-- Records a holder's report. A share that it keeps has at most the reported units left. The
-- reported units of a share that it returns come back. Units left never increase, and a share comes
-- back only once.
-- Reads  steps from `at` on: id and units of each share, first `left` shares that stay, then `back`
--        that come back
-- Sets   at, after these; shares, in place; lent; returned, units that have come back; spent, units
--        that were used
local returned, spent = 0, 0
for said = 1, left + back do
  local said_id, units, index = steps[at], steps[at + 1], SHARE_WIDTH
  while shares[index] and shares[index] ~= said_id do index = index + SHARE_WIDTH end
  if shares[index] then
    local before = shares[index - 1]
    local unused = min(before, units)
    local stays = said > left and 0 or unused
    shares[index - 1], lent, spent = stays, lent - before + stays, spent + before - unused
    if said > left then returned = returned + unused end
    for _ = 1, stays == 0 and SHARE_WIDTH or 0 do remove(shares, index - 2) end
  end
  at = at + 2
end
