-- One limit under several definitions at once, as while a new one is deployed. Each has a state of its own;
-- what is taken under one counts under all of them, as far as they can hold it.

-- The most definitions beside the one asked under; then those go of which the least is left.
local MOST = 3

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
  if kind == SLIDING_WINDOW then
    from.scale = period
  elseif kind == TOKEN_BUCKET or kind == LEAKY_BUCKET then
    local shared = greatest_divisor(rate, period)
    from.scale, from.gain = period / shared, rate / shared
  end
  from.full = capacity * from.scale
  if rate > 0 and kind ~= SLIDING_WINDOW and kind ~= SLIDING_LOG and kind ~= CONCURRENCY then
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

-- The most parts of a plan that count as used where so many are under another one: with its debt.
local function most_kept(spent, from, plan)
  return plan.full + min(convert(max(0, spent - from.full), from, plan), plan.spare)
end

-- What was used stays used, as far as the new definition can hold it.
local function adopt(b, plan, from)
  local old, new = kinds[from.kind], kinds[plan.kind]
  if plan.kind == from.kind and new.inherit(b, plan, from) then return end
  local before = old.spent(b, from)
  local kept = min(convert(before, from, plan), most_kept(before, from, plan))
  local open = min(kept, convert(old.unsettled(b, from), from, plan))
  new.begin(b, plan, kept, open, max(now, since[b]))
end

-- A list as its kind works on it, from entries of its own.
local function list_at(o, kind, entries)
  if kind == SLIDING_LOG then
    log_of[o] = { entries = entries, whole = true, rewrite = true, newest = entries[#entries] }
  elseif kind == CONCURRENCY then
    local by_id = {}
    for _, entry in ipairs(entries) do
      if entry[2] > 0 then by_id[entry[3]] = entry end
    end
    leases_of[o] = { entries = entries, by_id = by_id, scores = {}, rewrite = true }
  end
end

-- What `read` has found under another definition, made fit to be worked on.
local function open_others(b)
  for _, o in ipairs(others_of[b] or {}) do
    plan_of[o] = plan_from(definition_of[o])
    if previous[o] == 0 then previous[o] = nil end
    list_at(o, plan_of[o].kind, entries_of[o])
  end
end

-- Milliseconds after which nothing is left of a full state, at the latest.
local function memory(plan)
  if plan.rate == 0 then return 2 * plan.period end
  return plan.period * max(2, ceil(plan.full / plan.scale / plan.rate))
end

-- A copy of a state, at a place of its own, that is kept beside that of a plan.
local function beside(b, from, plan)
  local o, list, entries = new_place(), log_of[b] or leases_of[b], {}
  plan_of[o], used[o], since[o], unsettled[o], previous[o] = from, used[b], since[b], unsettled[b], previous[b]
  for index, entry in ipairs(list and list.entries or {}) do
    entries[index] = { entry[1], entry[2], entry[3] }
  end
  list_at(o, from.kind, entries)
  local left = kinds[from.kind].reset_after(o, from)
  until_of[o] = min(now + max(left, memory(from), memory(plan)), EXACT)
  return o
end

-- A state becomes what another one says.
local function become(b, o)
  used[b], since[b], unsettled[b], previous[b] = used[o], since[o], unsettled[o], previous[o]
  log_of[b], leases_of[b] = log_of[o], leases_of[o]
end

local function is_far_ahead(b, plan)
  return since[b] - now >= plan.period
end

-- Goes back with the clock, by whole windows, to the one that begins next. Returns by how much.
local function rewind(b, plan)
  local grid = (plan.kind == FIXED_WINDOW or plan.kind == SLIDING_WINDOW) and plan.period or 1
  local ms = floor((since[b] - now) / grid) * grid
  since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
  if kinds[plan.kind].rewind then kinds[plan.kind].rewind(b, ms) end
  return ms
end

-- Those of which something may be left, brought back where the clock went back.
local function current(places)
  local kept = {}
  for _, o in ipairs(places) do
    if is_far_ahead(o, plan_of[o]) then until_of[o] = until_of[o] - rewind(o, plan_of[o]) end
    if until_of[o] > now then kept[#kept + 1] = o end
  end
  return kept
end

-- As many as are kept: without the one of which the least is left.
local function fitting(places)
  if #places <= MOST then return #places > 0 and places or nil end
  local goes = 1
  for index, o in ipairs(places) do
    if until_of[o] < until_of[places[goes]] then goes = index end
  end
  table.remove(places, goes)
  return places
end

-- Makes a state that of another definition; `turnTo` is its specification.
local function turn_to(b, plan, from)
  local places, known = current(others_of[b] or {}), nil
  for index, o in ipairs(places) do
    if plan_of[o].definition == plan.definition then known = index end
  end
  if not known then
    -- One of which nothing is left says no more than none: another store may have forgotten it.
    if kinds[from.kind].reset_after(b, from) > 0 then
      places[#places + 1] = current({ beside(b, from, plan) })[1]
    end
    others_of[b] = fitting(places)
    return adopt(b, plan, from)
  end
  if is_far_ahead(b, from) then rewind(b, from) end
  local o = table.remove(places, known)
  places[#places + 1] = beside(b, from, plan)
  others_of[b] = places
  become(b, o)
end

-- Counts what was taken under one definition under all others, as far as they can hold it.
function share(b, plan, count, lease)
  local places = current(others_of[b])
  others_of[b] = #places > 0 and places or nil
  local spent = kinds[plan.kind].spent(b, plan)
  for _, o in ipairs(places) do
    local to = plan_of[o]
    local kind = kinds[to.kind]
    local before, units = kind.spent(o, to), count
    if to.kind ~= CONCURRENCY or lease == 0 then
      units = min(count, floor((most_kept(spent, plan, to) - before) / to.scale))
    end
    -- What no lease has taken is held by one of nobody's, another one each millisecond.
    if units > 0 then kind.charge(o, to, units, before, lease ~= 0 and lease or now) end
  end
end

function release_others(b, lease, count)
  for _, o in ipairs(others_of[b]) do
    local plan = plan_of[o]
    if plan.kind == CONCURRENCY then kinds[CONCURRENCY].release(o, plan, lease, count) end
  end
end

-- A lease that was over under another definition, for its time is shorter there, is in flight again.
function renew_others(b, lease, count)
  for _, o in ipairs(others_of[b]) do
    local plan, kind = plan_of[o], kinds[CONCURRENCY]
    if plan.kind == CONCURRENCY and not kind.renew(o, plan, lease, count) then
      kind.charge(o, plan, count, nil, lease)
    end
  end
end
