-- Overrides: for a time, a key has a definition of its own in place of its limit's. The state is then
-- under that definition, and the plan of the budget is that definition's. `overridden` has until
-- when. The specification is `overrides.ts`.

-- By budget, for overrides in force: the limit's own plan, an instant at which a window of it begins,
-- and the override's plan.
local replaced = {}
-- As in scheduler.ts.
local LONGEST_TIMER = 2147483647

-- Whether a state's override is in force for calls under a plan. Lent units belong to a definition.
local function is_overridden(b, from, plan)
  local kind = plan.algorithm
  if (overridden[b] or 0) <= now or kind.base then return false end
  return same_kind(from.algorithm, kind) or same_kind(from.algorithm, kinds[TOKEN_BUCKET]) and not kind.holds_leases
end

-- Returns the ticks of a plan's debt that no call can reserve, as its work would start too late. A
-- request has this number for its own plans.
local function unreservable(plan)
  if plan.max_reserved then return 0 end
  local kind, in_time = plan.algorithm, LONGEST_TIMER * plan.refill_per_ms
  if kind.is_aligned then in_time = floor(LONGEST_TIMER / plan.period) * plan.rate
  elseif kind.queues then in_time = max(0, in_time + plan.ticks_per_unit - plan.capacity_ticks)
  end
  return max(0, plan.debt_ticks - in_time)
end

-- Sets an instant at which a window of a budget begins.
local function anchor_at(b, instant)
  anchors = anchors or {}
  anchors[b] = instant
end

-- Lets all steps of a budget go by its override. If the state begins anew, its windows stay.
local function replace(b, plan, from)
  replaced[b] = { plan = plan, anchor = anchors and anchors[b] or 0, own = from }
  from.unreservable = unreservable(from)
  if from.definition ~= plan.definition then plan_of[b] = from end
  anchor_at(b, since[b])
end

-- Adds the states to the reply that count when an override ends: the one under the limit's own
-- definition, and the overflow record. If the former is not kept until then, the others decide
-- whether there is room for that of the override. Answers depend on none of them if a list is kept.
local function show_others(b, reply, place)
  local others, base = others_of[b] or {}, replaced[b].plan
  local index = index_of(others, base)
  local is_kept = index and until_of[others[index]] > overridden[b]
  for _, other in ipairs(others) do
    local definition, last = plan_of[other].definition, #reply
    local role = definition == base.definition and 0 or definition == OVERFLOW and 1 or 2
    if role < 2 or not is_kept then
      reply[place] = reply[place] + 1
      reply[last + 1], reply[last + 2], reply[last + 3] = role, used[other], since[other]
      reply[last + 4], reply[last + 5], reply[last + 6] = unsettled[other], previous[other] or 0, until_of[other]
    end
  end
end

-- Adds an override to the reply.
function show_override(b, reply)
  local own, at = replaced[b].own, #reply
  reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4] = overridden[b], own.kind, own.rate, own.period
  reply[at + 5] = own.capacity_ticks / own.ticks_per_unit
  reply[at + 6], reply[at + 7] = own.max_reserved or -1, own.start or -EXACT
  reply[at + 8] = 0
  local keep_list = own.algorithm.keeps_list or replaced[b].plan.algorithm.keeps_list
  if not keep_list then show_others(b, reply, at + 8) end
end

-- Keeps a state under a limit's own plan beside that of an override, until `over` and everything that
-- it counts has come back.
local function keep_beside(b, plan, anchor, over)
  local others = others_of[b] or {}
  local index = index_of(others, plan)
  if not index and is_full(others) then return end
  local other = index and table.remove(others, index) or new_place(b)
  if not index then
    plan_of[other] = plan
    anchor_at(other, anchor)
    plan.algorithm.begin(other, plan, 0, 0, now)
  end
  until_of[other] = min(EXACT, max(until_of[other] or 0, over + memory(plan)))
  others[#others + 1], others_of[b] = other, others
end

-- Puts a plan in place of a budget's own, for some milliseconds. Replaces an earlier override. With 0
-- it ends that. What is used counts under both.
function override(b, plan, ms)
  local before, anchor = replaced[b], anchors and anchors[budgets + 1] or 0
  local base, base_anchor = plan_of[b], anchors and anchors[b] or 0
  if before then
    base, base_anchor = before.plan, before.anchor
    anchor_at(b, base_anchor)
    overridden[b] = nil
    if before.own.definition ~= base.definition then change_definition(b, base, plan_of[b]) end
    plan_of[b] = base
  end
  if ms > 0 then
    if plan.definition ~= base.definition then
      anchor_at(b, anchor)
      change_definition(b, plan, base)
      plan_of[b] = plan
      keep_beside(b, base, base_anchor, now + ms)
    end
    overridden[b] = now + ms
    anchor_at(b, since[b])
  end
  rewind_if_far_ahead(b, plan_of[b])
end
