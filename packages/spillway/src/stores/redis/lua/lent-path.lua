-- The most frequent requests to limits that lend, without functions: units and draws, if no state
-- has anything unusual. Each state is brought to now when it is read, because all steps have the
-- same instant. Everything else is left to the rest of the script.
--
-- Reads  plans, owners, anchors, values, steps, budgets, now, linger
-- Sets   nothing for later code: it returns the reply, or leaves everything to the rest of the
--        script
local rep, sub, remove = string.rep, string.sub, table.remove
-- The kind without lending, for each kind that lends.
local BASE = { [LENT_TOKEN_BUCKET] = TOKEN_BUCKET, [LENT_FIXED_WINDOW] = FIXED_WINDOW, [LENT_SLIDING_WINDOW] = SLIDING_WINDOW }
local is_plain, fresh, reply, charged, more, problem = true, nil, { now, 0 }, 0, nil, nil
-- `base` is a plan's kind without lending. `unit` is the amount that one unit adds to `used`.
for _, plan in ipairs(plans) do
  plan.base = BASE[plan.kind] or plan.kind
  plan.unit = plan.base == SLIDING_WINDOW and 1 or plan.ticks_per_unit
end
-- The states, as columns with one place for each budget.
local plan_of, used_of, since_of, unsettled_of, before_of, ticks_of, changed = {}, {}, {}, {}, {}, {}, {}
-- The shares of each state, one after the other; their units in all; and their bytes, while these
-- are unchanged.
local shares_of, lent_of, text_of = {}, {}, {}
-- Shares as they were before the steps, for the reply.
local seen = {}
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  --include lent-read.lua
  if not is_plain then break end
  --include lent-show.lua
  --include lent-advance.lua
  plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b] = plan, used, since, unsettled, before
  shares_of[b], lent_of[b] = shares, lent
end
-- MGET returns nil for a key of another type.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end

if is_plain then
  -- Without steps, one unit is taken of each budget. A step takes a unit, or is a draw.
  local at, last = 1, steps and #steps or budgets
  while at <= last do
    local b, count, reserve, id, want, left, back = steps and steps[at] or at, 1, 0, 0, 0, 0, 0
    at = at + 1
    if b == DRAW then
      b, count, reserve, id, want, left, back = unpack(steps, at, at + 6)
      at = at + 7
    end
    --include lent-step.lua
  end
  for b = 1, budgets do
    if changed[b] and not problem then
      --include lent-write.lua
    end
  end
  if problem then
    --include unwritten.lua
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / REPLY_MORE or 0
  for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
  for at = 1, #seen do reply[#reply + 1] = seen[at] end
  return reply
end
