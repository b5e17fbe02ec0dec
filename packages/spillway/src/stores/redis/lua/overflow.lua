-- Remembers the use under definitions whose states are not kept for lack of room, in one record. The
-- specification is `overflow.ts`.

-- The definition of the record, a bucket that never refills.
local OVERFLOW = "1,0,eiz5s00,gjdgxs\n"

-- Returns the overflow record among states under other definitions, and its position; nil if there
-- is none.
local function overflow_among(others)
  for index, other in ipairs(others or {}) do
    if plan_of[other].definition == OVERFLOW then return other, index end
  end
end

local function new_overflow(b)
  local record = new_place(b)
  plan_of[record] = plan_of_definition(OVERFLOW)
  used[record], since[record], previous[record], unsettled[record], until_of[record] = 0, now, 0, 0, 0
  return record
end

-- Adds a state for which there is no room to the overflow record. Units and debt are rounded up to
-- whole units.
local function add_to_overflow(b, from, others)
  local record, index = overflow_among(others)
  if record then table.remove(others, index) else record = new_overflow(b) end
  local ticks, per_unit = from.algorithm.used(b, from), from.ticks_per_unit
  used[record] = max(used[record], ceil(ticks / per_unit))
  previous[record] = max(previous[record] or 0, ceil((ticks - from.capacity_ticks) / per_unit))
  until_of[record] = max(until_of[record], min(now + from.algorithm.reset_after(b, from), EXACT))
  others[#others + 1] = record
end

-- Raises the used units to those of the overflow record, as far as the definition can hold them.
local function count_overflow(b, plan)
  local record = overflow_among(others_of[b])
  if not record then return end
  local kind, per_unit = plan.algorithm, plan.ticks_per_unit
  local debt = min((previous[record] or 0) * per_unit, plan.debt_ticks)
  local ticks = min(used[record] * per_unit, plan.capacity_ticks + debt)
  local short = ticks - kind.used(b, plan)
  if short <= 0 then return end
  -- Leases in flight stay. The missing units are held by a lease without an owner.
  if kind.holds_leases then return kind.charge(b, plan, short, now) end
  kind.advance(b, plan)
  kind.begin(b, plan, ticks, unsettled[b] * per_unit / plan.counts_per_unit, max(now, since[b]))
end

-- Whether there is no room for one more state.
local function is_full(others)
  return #others - (overflow_among(others) and 1 or 0) >= MOST_OTHERS
end
