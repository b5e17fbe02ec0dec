-- Reads the plan and the step of a budget, among several.
-- Reads  b, plans, owners, steps, at
-- Sets   definition, form, bytes, period, capacity, step, id, count, headroom; at, the next step
local plan = plans[owners and owners[b] or 1]
definition, form, bytes, period, capacity = plan.definition, plan.numbers, plan.bytes, plan.period, plan.capacity_ticks
step, count = steps[at], steps[at + 3]
if step == TAKE then headroom, id, at = steps[at + 5], steps[at + 6], at + 2 + ASK
else id, at = steps[at + 2], at + 4
end
