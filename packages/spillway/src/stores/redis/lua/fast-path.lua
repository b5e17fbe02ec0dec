-- The most frequent requests, without functions, in two thirds of the time: units of kinds that
-- keep no list, if no state has anything unusual. Everything else is left to the rest of the
-- script.
--
-- Reads  plans, owners, anchors, values, steps, budgets, now, linger
-- Sets   nothing for later code: it returns the reply, or leaves everything to the rest of the
--        script
local is_plain, fresh, reply, charged, more, problem = true, nil, { now, 0 }, 0, nil, nil
-- Units of the previous window, for states that have any.
local before_of, plan_of, used_of, since_of, unsettled_of, changed = {}, nil, nil, nil, nil, nil
if steps then plan_of, used_of, since_of, unsettled_of, changed = {}, {}, {}, {}, {} end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local definition, used, since, unsettled, before = plan.definition, 0, now, 0, nil
  if not value then
    fresh = fresh or {}
    fresh[#fresh + 1] = KEYS[b]
    if plan.kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
  elseif find(value, definition, 1, true) == 1 then
    local at = #definition + 1
    --include decode.lua
    if at ~= #value + 1 then is_plain = false end
  else
    is_plain = false
  end
  -- If nothing comes back, there is no formula for how long a state is kept.
  if since > now or plan.rate == 0 or plan.kind >= SLIDING_LOG then is_plain = false end
  if not is_plain then break end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
  if before then
    before_of[b], more = before, more or {}
    local last = #more
    more[last + 1], more[last + 2], more[last + 3] = b, before, 0
  end
  if steps then plan_of[b], used_of[b], since_of[b], unsettled_of[b] = plan, used, since, unsettled end
end
-- MGET returns nil for a key of another type.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end

if is_plain and not steps then
  for b = 1, budgets do
    local plan, at = plans[owners and owners[b] or 1], REPLY_HEAD + REPLY_STATE * (b - 1)
    local kind, used, since, before = plan.kind, reply[at + 1], now - reply[at + 2], before_of[b]
    local unsettled = used - reply[at + 3]
    --include any-advance.lua
    if ticks + plan.ticks_per_unit <= plan.capacity_ticks then
      used, unsettled, charged = used + unit, unsettled + unit, charged + 1
      --include any-write.lua
    end
  end
elseif is_plain then
  -- Each step takes a unit from one budget, or one from each of several.
  local at, last = 1, #steps
  while at <= last do
    local first, final, fits = at, at, true
    if steps[at] == TAKE_UNITS then first, final = at + 2, at + 1 + steps[at + 1] end
    for place = first, final do
      local b = steps[place]
      local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
      local kind = plan.kind
      --include any-advance.lua
      used_of[b], since_of[b], unsettled_of[b], before_of[b] = used, since, unsettled, before
      fits = fits and ticks + plan.ticks_per_unit <= plan.capacity_ticks
    end
    for place = first, fits and final or 0 do
      local b = steps[place]
      local plan = plan_of[b]
      local unit = plan.kind == SLIDING_WINDOW and 1 or plan.ticks_per_unit
      used_of[b], unsettled_of[b], changed[b] = used_of[b] + unit, unsettled_of[b] + unit, true
      charged = charged + 1
    end
    at = final + 1
  end
  for b = 1, budgets do
    if changed[b] then
      local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
      local kind = plan.kind
      --include any-write.lua
    end
  end
end
if is_plain then
  if problem then
    --include unwritten.lua
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / 3 or 0
  for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
  return reply
end
