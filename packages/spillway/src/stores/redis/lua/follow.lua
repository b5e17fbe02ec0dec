-- Makes states fit to be asked: fresh ones are begun, logs are read, and what was written under
-- another definition of its limit, or at an instant that is yet to come, is carried over.
local function log_key_of(key)
  return (string.gsub(key, ":{", "+{", 1))
end

-- Whether a kind keeps what was taken one by one, at a key of its own.
local function is_listed(kind)
  return kind == LOG or kind == LEASES
end

for _, b in ipairs(fresh or {}) do
  if foreign[b] then
    used[b], since[b], unsettled[b] = 0, 0, 0
  else
    kinds[plan_of[b].kind].begin(b, plan_of[b], 0, 0, now)
  end
end

if odd then
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end

  -- The plan that six numbers define; `planFor` is its specification.
  local function plan_from(definition)
    local words = {}
    for word in string.gmatch(definition, "[^,\n]+") do
      words[#words + 1] = word ~= "-" and tonumber(word, 36)
    end
    local kind, rate, period, capacity, debt = unpack(words)
    local from = {
      definition = definition, kind = kind, rate = rate, period = period,
      scale = 1, gain = 0, spare = 0,
    }
    if kind == SLIDING then
      from.scale = period
    elseif kind == BUCKET or kind == LEAKY then
      local shared = greatest_divisor(rate, period)
      from.scale, from.gain = period / shared, rate / shared
    end
    from.full = capacity * from.scale
    if rate > 0 and kind ~= SLIDING and not is_listed(kind) then
      local most = EXACT - from.full
      from.spare = debt and min(debt * from.scale, most) or most
    end
    return from
  end

  -- Parts of one plan as parts of another, rounded up.
  local function convert(parts, from, plan)
    if from.scale == plan.scale then return parts end
    local units = floor(parts / from.scale)
    local rest = (parts - units * from.scale) / from.scale
    return units * plan.scale + min(plan.scale, ceil(rest * plan.scale))
  end

  -- What was used stays used, as far as the new definition can hold it.
  local function adopt(b, plan, from)
    local old, new = kinds[from.kind], kinds[plan.kind]
    if plan.kind == from.kind and new.inherit(b, plan, from) then return end
    local before = old.spent(b, from)
    local debt = convert(max(0, before - from.full), from, plan)
    local most = plan.full + min(debt, plan.spare)
    local spent = convert(before, from, plan)
    local kept = min(spent, most)
    local open = min(kept, convert(old.unsettled(b, from), from, plan))
    new.begin(b, plan, kept, open, max(now, since[b]))
  end

  -- Far back: the state goes with the clock, by whole windows. Else time stands still.
  local function go_back(b, plan)
    if since[b] - now >= plan.period then
      local grid = (plan.kind == FIXED or plan.kind == SLIDING) and plan.period or 1
      local ms = ceil((since[b] - now) / grid) * grid
      since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
      if is_listed(plan.kind) then kinds[plan.kind].rewind(b, ms) end
    elseif used[b] == 0 and not previous[b] then
      kinds[plan.kind].begin(b, plan, 0, 0, now)
    end
  end

  for b, definition in pairs(odd) do
    local plan, from = plan_of[b], plan_from(definition)
    if definition ~= plan.definition or since[b] > now then
      if is_listed(from.kind) then kinds[from.kind].load(b, from, log_key_of(KEYS[b]), -1) end
      if definition ~= plan.definition then adopt(b, plan, from) end
      if since[b] > now then go_back(b, plan) end
      -- Kept, by its kind before, even by a look: what is brought back to this instant must not be
      -- brought back again.
      changed[b] = from.kind
    end
  end
end

if needed[LOG] or needed[LEASES] then
  local place = budgets
  for b = 1, budgets do
    local plan = plan_of[b]
    if is_listed(plan.kind) then
      place = place + 1
      local known = plan.kind == LOG and log_of[b] or plan.kind == LEASES and leases_of[b]
      if values[b] == false and not foreign[b] then check_orphan(b, KEYS[place]) end
      if not known and not foreign[b] then kinds[plan.kind].load(b, plan, KEYS[place], extras[b]) end
    end
  end
end
