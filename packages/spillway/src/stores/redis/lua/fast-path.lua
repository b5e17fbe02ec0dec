-- The most frequent requests, without functions, in two thirds of the time: units of kinds that
-- keep no list, if no state has anything unusual. Everything else is left to the rest of the
-- script.
--
-- Reads  plans, owners, anchors, values, steps, budgets, now, linger
-- Sets   nothing for later code: it returns the reply, or leaves everything to the rest of the
--        script
local is_plain, fresh, reply, charged, more, problem = true, nil, { now, 0 }, 0, nil, nil
-- The values to write, and for how long their keys are kept, if not as long as before.
local texts, expiries = {}, {}
local plan_of, used_of, since_of, unsettled_of, before_of, kept_of, changed
if steps then
  plan_of, used_of, since_of, unsettled_of, before_of, kept_of, changed = {}, {}, {}, {}, {}, {}, {}
end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local definition, kind, used, since, unsettled, before, kept = plan.definition, plan.kind, 0, now, 0, nil, nil
  if value then
    --include any-read.lua
  else
    fresh = fresh or {}
    fresh[#fresh + 1] = KEYS[b]
    if kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
  end
  -- If nothing comes back, there is no formula for how long a state is kept.
  if since > now or plan.rate == 0 or kind >= SLIDING_LOG then is_plain = false end
  if not is_plain then break end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2] = used, now - since
  if before or unsettled ~= used then
    more = more or {}
    local last = #more
    more[last + 1], more[last + 2], more[last + 3], more[last + 4] = b, used - unsettled, before or 0, 0
  end
  if steps then
    plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b], kept_of[b] = plan, used, since, unsettled, before, kept
  else
    --include any-advance.lua
    if ticks + plan.ticks_per_unit <= plan.capacity_ticks then
      used, unsettled, charged = used + unit, unsettled + unit, charged + 1
      --include any-text.lua
      texts[b], expiries[b] = text, expiry
    end
  end
end
-- MGET returns nil for a key of another type.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end

if is_plain and steps then
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
      local plan, used, since, unsettled, before, kept = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b], kept_of[b]
      local kind = plan.kind
      --include any-text.lua
      texts[b], expiries[b] = text, expiry
    end
  end
end
if is_plain then
  for b = 1, budgets do
    if texts[b] then
      local written
      if expiries[b] then written = try("PSETEX", KEYS[b], expiries[b], texts[b])
      else written = try("SET", KEYS[b], texts[b], "KEEPTTL")
      end
      problem = problem or written.err
    end
  end
  if problem then
    --include unwritten.lua
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / REPLY_MORE or 0
  for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
  return reply
end
