-- Executes the steps.
local charged = 0

-- Whether ticks fit under the most that may be used.
local function fits(b, plan, ticks, most)
  if odd then begin_if_empty(b, plan) end
  if foreign[b] or blocked[b] and blocked[b] > now then return false end
  return plan.algorithm.used(b, plan) + ticks <= most
end

local function take(b, plan, count, lease)
  plan.algorithm.charge(b, plan, count, lease)
  if others_of[b] then share(b, plan, count, lease) end
  changed[b] = true
end

local function take_one(b)
  local plan = plan_of[b]
  if not fits(b, plan, plan.ticks_per_unit, plan.capacity_ticks) then return end
  take(b, plan, 1, NO_LEASE)
  charged = charged + 1
end

if not steps then
  for b = 1, budgets do take_one(b) end
else
  --include other-steps.lua
  local at, last = 1, #steps
  while at <= last do
    local step, width = steps[at], width_of(at)
    if step > 0 then take_one(step)
    elseif step == TAKE then take_all(at + 1 + FIELDS[TAKE], at + width - 1, ASK)
    elseif step == TAKE_UNITS then take_all(at + 1 + FIELDS[TAKE_UNITS], at + width - 1, 1)
    else change(step, steps[at + 1], steps[at + 2], steps[at + 3])
    end
    at = at + width
  end
end
