-- Records a holder's report on its shares, takes units, and lends others.
-- Reads  b, count, reserve, id, want, left, back, steps, plan_of, since_of, now
-- Sets   at, after the report; used_of, ticks_of, unsettled_of, shares_of, lent_of, text_of,
--        changed, charged
local plan, shares, lent = plan_of[b], shares_of[b], lent_of[b]
local used, ticks, unsettled = used_of[b], ticks_of[b], unsettled_of[b]
local unit, ticks_per_unit = plan.unit, plan.ticks_per_unit
if left + back > 0 then
  shares, changed[b] = shares or {}, true
  --include shares-report.lua
  used, ticks, unsettled = used - returned * unit, ticks - returned * ticks_per_unit, unsettled + spent * unit
  if returned + spent > 0 then text_of[b] = nil end
end
local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
if ticks + max(1, count) * ticks_per_unit <= most then
  used, ticks, unsettled = used + count * unit, ticks + count * ticks_per_unit, unsettled + count * unit
  changed[b], charged = true, charged + 1
  if want > 0 and plan.share then
    local ends = now + plan.share
    if plan.base ~= TOKEN_BUCKET then ends = min(ends, since_of[b] + plan.period) end
    shares = shares or {}
    --include shares-lend.lua
    if units > 0 then text_of[b] = nil end
    used, ticks, charged = used + units * unit, ticks + units * ticks_per_unit, charged + units
  end
end
used_of[b], ticks_of[b], unsettled_of[b], shares_of[b], lent_of[b] = used, ticks, unsettled, shares, lent
