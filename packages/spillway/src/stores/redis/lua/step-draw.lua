-- The step of a draw: see algorithms/shares.ts.
-- Reads  steps, FIELDS, plan_of, foreign, odd, has_room, take, share
-- Sets   changed, charged

-- Records a holder's report on its shares, takes units from the budget, and lends others. If the
-- units are refused, none are lent.
local function draw(at)
  local b, count, reserve, id, want, left, back = unpack(steps, at + 1, at + FIELDS[DRAW])
  local plan = plan_of[b]
  local kind = plan.algorithm
  if foreign[b] then return end
  if odd then begin_if_empty(b, plan) end
  if left + back > 0 then
    local report = kind.report or kind.advance
    report(b, plan, at + 1 + FIELDS[DRAW], left, back)
    changed[b] = true
  end
  local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
  if not has_room(b, plan, max(1, count) * plan.ticks_per_unit, most) then return end
  if count > 0 then take(b, plan, count, NO_LEASE) end
  local units = kind.lend and kind.lend(b, plan, id, want) or 0
  if units > 0 and others_of[b] then share(b, plan, units, NO_LEASE) end
  changed[b], charged = true, charged + 1 + units
end
