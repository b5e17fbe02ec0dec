-- What is asked most, without functions, in two thirds of the time: units of kinds that keep no list, where no
-- state has anything unusual about it. What is unusual is left to the rest of the script.
local is_plain, fresh, reply, charged = true, {}, { now, 0 }, 0
local plan_of, used_of, since_of, unsettled_of, before_of, changed = {}, {}, {}, {}, {}, {}
local more = {}
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local definition, used, since, unsettled, before = plan.definition, 0, now, 0, 0
  if not value then
    fresh[#fresh + 1] = KEYS[b]
    if plan.kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
  elseif find(value, definition, 1, true) == 1 then
    local at = #definition + 1
    --include decode.lua
    if at ~= #value + 1 then is_plain = false end
  else
    is_plain = false
  end
  -- Where nothing comes back, how long a state is kept has no formula.
  if since > now or plan.rate == 0 or plan.kind >= SLIDING_LOG then is_plain = false end
  if not is_plain then break end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
  if before ~= 0 then
    local at = #more
    more[at + 1], more[at + 2], more[at + 3] = b, before, 0
  end
  plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b] = plan, used, since, unsettled, before
end
-- MGET shows a key of another type as missing.
if #fresh > MOST_ARGUMENTS or #fresh > 0 and is_plain and call("EXISTS", unpack(fresh)) > 0 then is_plain = false end

if is_plain then
  -- Each step takes a unit from one budget, or one from each of several.
  local at, last = 1, steps and #steps or budgets
  while at <= last do
    local first, final, fits = at, at, true
    if steps and steps[at] == TAKE_UNITS then first, final = at + 2, at + 1 + steps[at + 1] end
    for place = first, final do
      local b = steps and steps[place] or place
      local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
      --include any-advance.lua
      used_of[b], since_of[b], unsettled_of[b], before_of[b] = used, since, unsettled, before
      fits = fits and ticks + plan.ticks_per_unit <= plan.capacity_ticks
    end
    for place = first, fits and final or 0 do
      local b = steps and steps[place] or place
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
      --include any-write.lua
    end
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, #more / 3
  for at = 1, #more do reply[#reply + 1] = more[at] end
  return reply
end
