-- What is asked most, without functions, in half the time: units of token and leaky buckets, none of which has
-- anything unusual about it. What is unusual is left to the rest of the script.
local is_plain, fresh, reply, charged = true, nil, { now, 0 }, 0
local plan_of, used_of, since_of, unsettled_of, changed
if steps then plan_of, used_of, since_of, unsettled_of, changed = {}, {}, {}, {}, {} end
for b = 1, budgets do
  local plan, value, used, since, unsettled = plans[owners and owners[b] or 1], values[b], 0, now, 0
  local definition = plan.definition
  if not value then
    fresh = fresh or {}
    fresh[#fresh + 1] = KEYS[b]
  elseif #value == #definition + NUMBERS_BYTES and find(value, definition, 1, true) == 1 then
    used, since, unsettled = unpack_bytes(NUMBERS, value, #definition + 1)
  else
    is_plain = false
  end
  if since > now or plan.refill_per_ms == 0 then is_plain = false end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
  if steps then plan_of[b], used_of[b], since_of[b], unsettled_of[b] = plan, used, since, unsettled end
end
if fresh and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end

if is_plain and not steps then
  for b = 1, budgets do
    local plan, at = plans[owners and owners[b] or 1], REPLY_HEAD + REPLY_STATE * (b - 1)
    local used, since = reply[at + 1], now - reply[at + 2]
    local unsettled, refill_per_ms, ticks = used - reply[at + 3], plan.refill_per_ms, plan.ticks_per_unit
    --include bucket-advance.lua
    used, unsettled = used + ticks, unsettled + ticks
    if used <= plan.capacity_ticks then
      charged = charged + 1
      --include bucket-write.lua
    end
  end
elseif is_plain then
  -- Each step takes a unit from one budget, or one from each of several.
  local at, last = 1, #steps
  while at <= last do
    local first, final, fits = at, at, true
    if steps[at] == TAKE_UNITS then
      local asks = steps[at + 1]
      first, final = at + 2, at + 1 + asks
    end
    for place = first, final do
      local b = steps[place]
      local plan, used, since, unsettled = plan_of[b], used_of[b], since_of[b], unsettled_of[b]
      local refill_per_ms = plan.refill_per_ms
      --include bucket-advance.lua
      used_of[b], since_of[b], unsettled_of[b] = used, since, unsettled
      fits = fits and used + plan.ticks_per_unit <= plan.capacity_ticks
    end
    for place = first, fits and final or 0 do
      local b = steps[place]
      local ticks = plan_of[b].ticks_per_unit
      used_of[b], unsettled_of[b], changed[b] = used_of[b] + ticks, unsettled_of[b] + ticks, true
      charged = charged + 1
    end
    at = final + 1
  end
  for b = 1, budgets do
    if changed[b] then
      local plan, used, since, unsettled = plan_of[b], used_of[b], since_of[b], unsettled_of[b]
      local refill_per_ms = plan.refill_per_ms
      --include bucket-write.lua
    end
  end
end
if is_plain then
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, 0
  return reply
end
