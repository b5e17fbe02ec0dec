-- Executes the steps.
local charged = 0

local function has_room(b, plan, ticks, most)
  local is_blocked = blocked[b] and blocked[b] > now
  return not is_blocked and plan.algorithm.used(b, plan) + ticks <= most
end

-- Whether ticks fit under the most that may be used. Where they don't, a list notes what the answer depends on.
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
  if not fits(b, plan, plan.ticks_per_unit, plan.capacity_ticks) then return end
  take(b, plan, 1, NO_LEASE)
  charged = charged + 1
end

if not steps then
  for b = 1, budgets do take_one(b) end
else
  -- An ask: all of its fields, or only the place of the budget that a unit is taken from.
  local function ask_at(at, width)
    if width == 1 then return steps[at], 1, 0, 0, NO_LEASE end
    return unpack(steps, at, at + width - 1)
  end

  -- Takes from all budgets of a step, or from none; or only looks whether they have what is asked.
  local function take_all(first, last, width, is_look)
    local all_fit = not is_look
    for at = first, last, width do
      local b, count, reserve, headroom = ask_at(at, width)
      local plan = plan_of[b]
      local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
      all_fit = fits(b, plan, max(1, count) * plan.ticks_per_unit + headroom, most) and all_fit
    end
    for at = first, all_fit and last or 0, width do
      local b, count, _, _, lease = ask_at(at, width)
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

  -- Forgets what was used of a state of which units are lent; false where none are.
  local function stays_lent(b, plan)
    return plan.algorithm.forget and plan.algorithm.forget(b, plan)
  end

  local function reset(b, plan, kind)
    if blocked[b] and blocked[b] <= now then blocked[b] = nil end
    local lent = {}
    for _, other in ipairs(others_of[b] or {}) do
      if until_of[other] > now and stays_lent(other, plan_of[other]) then lent[#lent + 1] = other
      else forgotten[#forgotten + 1] = list_of[other]
      end
    end
    others_of[b] = #lent > 0 and lent or nil
    if not stays_lent(b, plan) then kind.begin(b, plan, 0, 0, now) end
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
    -- What says nothing any more need not wait for a clock that is behind.
    if odd then begin_if_empty(b, plan) end
    changed[b] = true
  end

  -- Notes what a holder says of its shares, takes units from the budget, and lends others.
  local function draw(at, width)
    local b, count, reserve, id, want, left = unpack(steps, at + 1, at + 6)
    local plan, said = plan_of[b], { unpack(steps, at + 1 + FIELDS[DRAW], at + width - 1) }
    local kind = plan.algorithm
    if foreign[b] then return end
    if odd then begin_if_empty(b, plan) end
    if #said > 0 then
      local report = kind.report or kind.advance
      report(b, plan, said, left)
      changed[b] = true
    end
    local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
    if not has_room(b, plan, max(1, count) * plan.ticks_per_unit, most) then return end
    if count > 0 then take(b, plan, count, NO_LEASE) end
    local units = kind.lend and kind.lend(b, plan, id, want) or 0
    if units > 0 and others_of[b] then share(b, plan, units, NO_LEASE) end
    changed[b], charged = true, charged + 1 + units
  end

  -- Has the reply tell what a list holds, until so many units are free.
  local function show(b, units)
    local kind = plan_of[b].algorithm
    if kind.note_each and not foreign[b] then kind.note_each(b, plan_of[b], units) end
  end

  local at, last = 1, #steps
  while at <= last do
    local step, width = steps[at], width_of(at)
    if step > 0 then take_one(step)
    elseif step == TAKE then take_all(at + 1 + FIELDS[TAKE], at + width - 1, ASK)
    elseif step == TAKE_UNITS then take_all(at + 1 + FIELDS[TAKE_UNITS], at + width - 1, 1)
    elseif step == LOOK then take_all(at + 1 + FIELDS[LOOK], at + width - 1, ASK, true)
    elseif step == DRAW then draw(at, width)
    elseif step == SHOW then show(steps[at + 1], steps[at + 2])
    else change(step, steps[at + 1], steps[at + 2], steps[at + 3])
    end
    at = at + width
  end
end
