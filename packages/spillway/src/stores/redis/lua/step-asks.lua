-- Steps that take from budgets, or only look whether they could.
-- Reads  steps, plan_of, fits, take, penalize
-- Sets   charged

-- Returns an ask: all of its fields, or only the place of a budget from which one unit is taken.
local function ask_at(at, width)
  if width == 1 then return steps[at], 1, 0, 0, NO_LEASE end
  return unpack(steps, at, at + width - 1)
end

-- Takes from all budgets of a step, or from none. With `is_look` it takes nothing, and only notes
-- what the answers depend on.
local function take_all(first, last, width, is_look)
  local all_fit, refused = not is_look, {}
  for at = first, last, width do
    local b, count, reserve, headroom = ask_at(at, width)
    local plan = plan_of[b]
    -- What a request says of a reservation is about its own plan, not about an override.
    if reserve == 1 and plan.unreservable then headroom = plan.unreservable end
    local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
    if not fits(b, plan, max(1, count) * plan.ticks_per_unit + headroom, most) then all_fit, refused[#refused + 1] = false, b end
  end
  if penalize and not is_look then penalize(refused) end
  for at = first, all_fit and last or 0, width do
    local b, count, _, _, lease = ask_at(at, width)
    if count > 0 then take(b, plan_of[b], count, lease) end
    charged = charged + 1
  end
end

-- Lets the reply show the entries of a list until `units` units are free.
local function show(b, units)
  local kind = plan_of[b].algorithm
  if kind.note_each and not foreign[b] then kind.note_each(b, plan_of[b], units) end
end
