-- Takes from all budgets of a step, or from none: `ASK` numbers each, or only places to take a unit from each.
local function take_all(first, last, width)
  for at = first, last, width do
    local b, count, reserve, headroom = steps[at], 1, 0, 0
    if width == ASK then count, reserve, headroom = unpack(steps, at + 1, at + 3) end
    local plan = plan_of[b]
    local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
    if not fits(b, plan, max(1, count) * plan.ticks_per_unit + headroom, most) then return end
  end
  for at = first, last, width do
    local b, count, lease = steps[at], 1, NO_LEASE
    if width == ASK then count, lease = steps[at + 1], steps[at + 4] end
    if count > 0 then take(b, plan_of[b], count, lease) end
    charged = charged + 1
  end
end

-- From now; while time stands still for the state, from when it goes on. What was used is brought to now as
-- well, so that a clock that goes back takes the block back with it, and not by less.
local function block(b, plan, kind, ms)
  kind.advance(b, plan)
  -- Leases in flight end by when the newest of them was taken.
  local stays = kind.is_aligned or kind.holds_leases and used[b] > 0
  if not stays then since[b] = max(since[b], now) end
  blocked[b] = max(since[b], now) + ms
end

local function reset(b, plan, kind)
  if blocked[b] and blocked[b] <= now then blocked[b] = nil end
  others_of[b] = nil
  kind.begin(b, plan, 0, 0, now)
end

-- Changes one state, if it is ours.
local function change(step, b, first, second)
  local plan = plan_of[b]
  local kind = plan.algorithm
  if foreign[b] then return end
  if odd then begin_if_empty(b, plan) end
  if step == SETTLE then kind.settle(b, plan, first, second)
  elseif step == RESET then reset(b, plan, kind)
  elseif step == BLOCK then block(b, plan, kind, first)
  elseif step == UNBLOCK then blocked[b] = nil
  elseif step == RELEASE and kind.holds_leases then kind.release(b, plan, first, second)
  elseif step == RENEW and kind.holds_leases then kind.renew(b, plan, first, second)
  end
  changed[b] = true
end
