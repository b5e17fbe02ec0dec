-- Executes the steps.
-- Reads  request, steps, budgets, plan_of, blocked, foreign, odd, share, begin_if_empty, width_of, now
-- Sets   the states; changed; charged, how many budgets were charged, and how many units were lent
local charged = 0
-- Defined by penalties.lua on calls that need it.
local penalize

local function has_room(b, plan, ticks, most)
  local is_blocked = blocked[b] and blocked[b] > now
  return not is_blocked and plan.algorithm.used(b, plan) + ticks <= most
end

-- Whether ticks fit below the most that may be used. If not, a list notes what the answer depends
-- on.
local function fits(b, plan, ticks, most)
  if odd then begin_if_empty(b, plan) end
  if foreign[b] then return false end
  if has_room(b, plan, ticks, most) then return true end
  local kind = plan.algorithm
  if kind.note then kind.note(b, plan, most - ticks) end
  return false
end

local function take(b, plan, count, lease)
  plan.algorithm.charge(b, plan, count, lease)
  if others_of[b] then share(b, plan, count, lease) end
  changed[b] = true
end

local function take_one(b)
  local plan = plan_of[b]
  if not fits(b, plan, plan.ticks_per_unit, plan.capacity_ticks) then
    return penalize and penalize({ b })
  end
  take(b, plan, 1, NO_LEASE)
  charged = charged + 1
end

if not steps then
  for b = 1, budgets do take_one(b) end
else
  --include step-changes.lua
  local penalty_at = {}
  if request and request.penalties then
    --include penalties.lua
  end
  --include step-asks.lua
  --include step-draw.lua
  local at, last = 1, #steps
  while at <= last do
    local step, width = steps[at], width_of(at)
    if step > 0 then take_one(step)
    elseif step == TAKE then take_all(at + 1 + FIELDS[TAKE], at + width - 1, ASK)
    elseif step == TAKE_UNITS then take_all(at + 1 + FIELDS[TAKE_UNITS], at + width - 1, 1)
    elseif step == LOOK then take_all(at + 1 + FIELDS[LOOK], at + width - 1, ASK, true)
    elseif step == DRAW then draw(at)
    elseif step == PENALTY then penalty_at[steps[at + 1]] = at + 1
    elseif step == SHOW then show(steps[at + 1], steps[at + 2])
    else change(step, steps[at + 1], steps[at + 2], steps[at + 3])
    end
    at = at + width
  end
end
