-- Keeps one limit under several definitions at once, for example while a new one is deployed. Each
-- has a state of its own. Units taken under one count under all others, as far as these can hold
-- them. A value has the states under other definitions after its own numbers, as MessagePack. Here
-- each of them has an index beyond those of budgets.

-- The most states beside the current one, not counting the overflow record.
local MOST_OTHERS = 7

-- Returns the plan of a definition; nil if it is none. `planFor` is the specification.
local function plan_of_definition(definition)
  local words = {}
  for word in string.gmatch(definition or "", "[^,\n]+") do words[#words + 1] = tonumber(word, 36) or false end
  local kind, rate, period, capacity, debt, start = unpack(words)
  local algorithm = kinds[kind]
  if not (algorithm and rate and period) then return nil end
  capacity = capacity or rate
  local plan = plan_from(definition, kind, rate, period, 1, 0, 0, 0)
  plan.max_reserved, plan.start = debt or nil, start or nil
  if algorithm.define then algorithm.define(plan) end
  plan.capacity_ticks = capacity * plan.ticks_per_unit
  if algorithm.is_reservable and rate > 0 then
    local most = (algorithm.most_counts and algorithm.most_counts(plan) or EXACT) - plan.capacity_ticks
    plan.debt_ticks = debt and min(debt * plan.ticks_per_unit, most) or most
  end
  bind(plan)
  return plan
end

local last_place = budgets
local function new_place(b)
  last_place = last_place + 1
  home[last_place] = b
  return last_place
end

-- Decodes the states under other definitions, as `encode_others` writes them. Fails for anything
-- else.
local function decode_others(b, text)
  local all = cmsgpack.unpack(text)
  if type(all[1]) == "number" then overridden[b] = table.remove(all, 1) end
  take_record(b, all)
  others_of[b] = #all > 0 and {} or nil
  for index, state in ipairs(all) do
    local other, definition, apart = new_place(b), nil, nil
    definition, used[other], since[other], unsettled[other], previous[other], until_of[other], apart, inline_of[other] =
      unpack(state)
    if previous[other] == 0 then previous[other] = nil end
    local plan = assert(plan_of_definition(definition))
    plan_of[other], others_of[b][index] = plan, other
    if apart ~= "" then apart_of[other] = { unpack_bytes(APART, apart) } end
    if plan.algorithm.load then plan.algorithm.load(other, plan) end
    assert(not foreign[other])
  end
end

-- Returns the states under other definitions as bytes, after the end of an override and the penalty
-- record, and for how many milliseconds they must be kept. A script that knows neither takes none of this
-- for its own.
function encode_others(b)
  local all, latest = { overridden[b] }, max(now, overridden[b] or 0)
  all[#all + 1] = record_of[b]
  for _, other in ipairs(others_of[b] or {}) do
    local plan, apart, inline = plan_of[other], "", ""
    latest = max(latest, until_of[other])
    if plan.algorithm.divide then apart, inline = plan.algorithm.divide(other) end
    all[#all + 1] = {
      plan.definition, used[other], since[other], unsettled[other], previous[other] or 0, until_of[other], apart, inline,
    }
  end
  return cmsgpack.pack(all), latest - now
end

-- Writes the parts of these states that are stored apart.
function write_others(b, expiry)
  for _, other in ipairs(others_of[b] or {}) do
    local kind = plan_of[other].algorithm
    if kind.write then kind.write(other, expiry) end
  end
end

-- Returns the plan under which a state was written; nil if the value is not ours.
local function decode_odd(b)
  local from = plan_of_definition(string.match(values[b], "^[^\n]*\n"))
  if not from or not decode(b, #from.definition) then return nil end
  if text_of_others[b] and not pcall(decode_others, b, text_of_others[b]) then return nil end
  return from
end

-- Converts ticks of one plan to ticks of another, rounded up.
local function convert(ticks, from, plan)
  if from.ticks_per_unit == plan.ticks_per_unit then return ticks end
  local units = floor(ticks / from.ticks_per_unit)
  local rest = (ticks - units * from.ticks_per_unit) / from.ticks_per_unit
  return units * plan.ticks_per_unit + min(plan.ticks_per_unit, ceil(rest * plan.ticks_per_unit))
end

-- Returns the most ticks of a plan that count as used if `ticks` are used under another plan.
-- Includes debt.
local function most_kept(ticks, from, plan)
  return plan.capacity_ticks + min(convert(max(0, ticks - from.capacity_ticks), from, plan), plan.debt_ticks)
end

-- Whether two kinds are the same, apart from lending.
local function same_kind(one, other)
  return (one.base or one) == (other.base or other)
end

-- Used units stay used, as far as the new definition can hold them.
local function migrate(b, plan, from)
  local old, new = from.algorithm, plan.algorithm
  if same_kind(old, new) and new.keep(b, plan, from) then
    -- Shares belong to the definition under which they were lent. Here they count as used.
    if old.base or new.base then list_of[b] = new.base and { shares = {} } or nil end
    return
  end
  old.advance(b, from)
  local ticks = old.used(b, from)
  local kept = min(convert(ticks, from, plan), most_kept(ticks, from, plan))
  local open = min(kept, convert(unsettled[b] * from.ticks_per_unit / from.counts_per_unit, from, plan))
  list_of[b] = nil
  new.begin(b, plan, kept, open, max(now, since[b]))
end

-- Returns the milliseconds after which a full state equals a fresh one, at the latest.
local function memory(plan)
  if plan.rate == 0 then return 2 * plan.period end
  return plan.period * max(2, ceil(plan.capacity_ticks / plan.ticks_per_unit / plan.rate))
end

local function copy_numbers(one, other)
  used[other], since[other], unsettled[other], previous[other] = used[one], since[one], unsettled[one], previous[one]
end

-- Adds the fields that a copy lacks from a table. Returns the copy.
local function copy_table(one, copy)
  for field, value in pairs(one) do
    if copy[field] == nil then copy[field] = value end
  end
  return copy
end

-- Returns copies of leases that this call has taken or removed, ending by `latest`. An override changes
-- the definition once more in one call.
local function copy_changed(leases, latest)
  local copies = {}
  for id, lease in pairs(leases or {}) do
    copies[id] = { instant = min(lease.instant, latest), units = lease.units, id = id }
  end
  return copies
end

-- Gives a state its own list under a plan. The list of the other plan stays if it is still needed.
function copy_list(b, plan, read, bytes)
  local list, latest = list_of[b], max(since[b], now) + plan.period
  local copy = copy_table(list, {
    key = list_key(b, plan), is_beside = false, cuts = {}, found = {},
    removed = copy_changed(list.removed, latest), added = copy_changed(list.added, latest),
  })
  list_of[b] = copy
  if not copy.is_apart or copy.key == list.key then return end
  if not may_use(copy.key, read, bytes) then return reject(b) end
  call(list.is_beside and "COPY" or "RENAME", list.key, copy.key)
end

-- Copies a state, to be kept beside that of a plan. Returns its index.
local function copy_beside(b, from, plan)
  local other = new_place(b)
  plan_of[other], list_of[other] = from, list_of[b]
  if list_of[b] then
    list_of[b].is_beside = true
    list_of[b] = copy_table(list_of[b], {})
  end
  copy_numbers(b, other)
  until_of[other] = min(now + max(from.algorithm.reset_after(other, from), memory(from), memory(plan)), EXACT)
  return other
end

-- Moves a state back if it is a period or more ahead of the clock. Windows move by whole windows,
-- to the next one to begin. Returns by how many milliseconds.
local function rewind_if_far_ahead(b, plan)
  if since[b] - now < plan.period then return 0 end
  local step = plan.algorithm.is_aligned and plan.period or 1
  local ms = floor((since[b] - now) / step) * step
  since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
  local record = record_of[b]
  if record then record_of[b] = { record[1], max(0, record[2] - ms), record[3], max(0, record[4] - ms) } end
  if list_of[b] then plan.algorithm.rewind(b, ms) end
  return ms
end

-- Returns the states that may still hold something, moved back if the clock stepped back.
local function current(others)
  local kept = {}
  for _, other in ipairs(others or {}) do
    until_of[other] = until_of[other] - rewind_if_far_ahead(other, plan_of[other])
    if until_of[other] > now then kept[#kept + 1] = other end
  end
  return kept
end

--include overflow.lua

-- Lets a definition that is new to the key take over what it has used. The previous state is kept
-- if there is room.
local function take_over(b, plan, from, others)
  -- A state that equals a fresh one is not kept, because another store may have dropped it already.
  if from.algorithm.reset_after(b, from) > 0 then
    if is_full(others) then add_to_overflow(b, from, others)
    else others[#others + 1] = current({ copy_beside(b, from, plan) })[1] end
  end
  others_of[b] = #others > 0 and others or nil
  migrate(b, plan, from)
  count_overflow(b, plan)
end

-- Continues from the own state of a definition that is in use.
local function switch(b, plan, from, others, known)
  -- If the clock stepped back, a block moves back with the state of the last definition in use.
  rewind_if_far_ahead(b, from)
  local other = table.remove(others, known)
  others[#others + 1] = copy_beside(b, from, plan)
  others_of[b] = others
  copy_numbers(other, b)
  list_of[b] = list_of[other]
end

-- Returns the index of the state under a plan's definition; nil if there is none.
local function index_of(others, plan)
  for index, other in ipairs(others) do
    if plan_of[other].definition == plan.definition then return index end
  end
end

-- Switches a state to another definition. The previous state is kept beside it.
local function change_definition(b, plan, from)
  local others = current(others_of[b])
  local known = index_of(others, plan)
  if known then switch(b, plan, from, others, known) else take_over(b, plan, from, others) end
end

--include overrides.lua

-- If the clock stepped back, a state with nothing used and no block begins anew now.
function begin_if_empty(b, plan)
  local is_empty = since[b] > now and used[b] == 0 and (previous[b] or 0) == 0 and (blocked[b] or 0) <= now
  if is_empty then plan.algorithm.begin(b, plan, 0, 0, now) end
end

-- Switches a state to its current definition, unless an override is in force. Moves it back if the
-- clock stepped back by a period or more. After a smaller step, time stands still for it.
local function reconcile(b, plan)
  local from = decode_odd(b)
  if not from then return reject(b) end
  local stays = is_overridden(b, from, plan)
  if stays then replace(b, plan, from) end
  local is_same = stays or from.definition == plan.definition
  if is_same and since[b] <= now then return end
  if from.algorithm.load then from.algorithm.load(b, from) end
  if foreign[b] then return end
  if not stays then overridden[b] = nil end
  if not is_same then change_definition(b, plan, from) end
  rewind_if_far_ahead(b, plan_of[b])
  begin_if_empty(b, plan_of[b])
  -- Written even by a peek, because a state must not be migrated to this instant twice.
  changed[b] = true
end

-- Charges units taken under one definition to all others, as far as they can hold them.
function share(b, plan, count, lease)
  local others = current(others_of[b])
  others_of[b] = #others > 0 and others or nil
  local ticks = plan.algorithm.used(b, plan)
  for _, other in ipairs(others) do
    local to, units = plan_of[other], count
    if lease == NO_LEASE or not to.algorithm.holds_leases then
      local room = most_kept(ticks, plan, to) - to.algorithm.used(other, to)
      units = min(count, floor(room / to.ticks_per_unit))
    end
    -- Units taken without a lease are held by a lease without an owner, a new one each millisecond.
    if units > 0 then to.algorithm.charge(other, to, units, lease ~= NO_LEASE and lease or now) end
  end
end
