-- Sliding log: every admitted ask, remembered for one period. Its entries are a list of their own,
-- 16 bytes each, oldest first; `used` is the sum of their units. Only as much of the list is read as
-- an answer depends on, and what changes is written when all steps are done. A log here is
--
--   entries   what was read from the list's beginning: { instant, units } each
--   whole     whether that is all of the list
--   newest    its last entry; nil where it is empty
--   rewrite   whether the list is to be written anew, from `entries`
--   dropped, joined, pushed   else: how many entries to drop, what the last one becomes, what follows
-- Entries that are read first; then twice as many each time.
local CHUNK = 16
local sliding = {}

-- Reads entries, from the oldest, until `enough` says so. Returns whether the list has ended.
local function read(b, key, enough)
  local entries, chunk = log_of[b].entries, CHUNK
  repeat
    local last = enough and #entries + chunk - 1 or -1
    local texts = elements_of(b, "LRANGE", key, #entries, last)
    if not texts then return true end
    for _, text in ipairs(texts) do
      local instant, units = numbers_of(b, text)
      if not instant then return true end
      entries[#entries + 1] = { instant, units }
    end
    if #texts < chunk or not enough then return true end
    chunk = chunk * 2
  until enough(entries)
  return false
end

-- Reads what answers depend on, where `need` units might be asked for; -1 reads everything.
function sliding.load(b, plan, key, need)
  local over = max(since[b], now) - plan.period
  local summed, units = 0, 0
  local function enough(entries)
    while summed < #entries do
      summed = summed + 1
      units = units + entries[summed][2]
    end
    return summed > 0 and entries[summed][1] > over and units >= used[b] + need - plan.full
  end
  local log = { entries = {} }
  log_of[b] = log
  log.whole = read(b, key, need >= 0 and enough or nil)
  if not log.whole then
    log.newest = { numbers_of(b, call("LINDEX", key, -1)) }
    return
  end
  enough(log.entries)
  -- Where Redis has evicted the list and left the state, all counts as the newest.
  if units < used[b] then
    log.entries[#log.entries + 1] = { since[b], used[b] - units }
    log.rewrite = true
  end
  log.newest = log.entries[#log.entries]
end

function sliding.save(b, key, ttl)
  local log = log_of[b]
  local function packed(entry) return pack("<dd", entry[1], entry[2]) end
  if log.rewrite then
    call("DEL", key)
    log.pushed = log.entries
  else
    if log.dropped then call("LTRIM", key, log.dropped, -1) end
    if log.joined then call("LSET", key, -1, packed(log.joined)) end
  end
  local texts = {}
  for index, entry in ipairs(log.pushed or {}) do texts[index] = packed(entry) end
  for first = 1, #texts, AT_ONCE do
    call("RPUSH", key, unpack(texts, first, min(first + AT_ONCE - 1, #texts)))
  end
  call("PEXPIRE", key, ttl)
end

local function present(b)
  return max(since[b], now)
end

-- Units, and entries, that are over.
local function gone(b, plan)
  local over, units, entries = present(b) - plan.period, 0, 0
  for _, entry in ipairs(log_of[b].entries) do
    if entry[1] > over then break end
    units, entries = units + entry[2], entries + 1
  end
  return units, entries
end

function sliding.spent(b, plan)
  return used[b] - gone(b, plan)
end

function sliding.unsettled(b, plan)
  return min(unsettled[b], sliding.spent(b, plan))
end

local function drop(b, plan)
  local log, units, entries = log_of[b], gone(b, plan)
  if entries == 0 then return end
  local kept = {}
  for index = entries + 1, #log.entries do kept[#kept + 1] = log.entries[index] end
  used[b], log.entries = used[b] - units, kept
  log.dropped = (log.dropped or 0) + entries
  if log.whole then log.newest = kept[#kept] end
end

local function push(b, units)
  local log, instant = log_of[b], present(b)
  local newest = log.newest
  if newest and newest[1] == instant then
    newest[2] = newest[2] + units
    if not log.pushed then log.joined = newest end
    return
  end
  log.newest = { instant, units }
  if log.whole then log.entries[#log.entries + 1] = log.newest end
  if log.rewrite then return end
  log.pushed = log.pushed or {}
  log.pushed[#log.pushed + 1] = log.newest
end

local function add(b, plan, units)
  drop(b, plan)
  unsettled[b] = min(unsettled[b], used[b]) + units
  if units == 0 then return end
  push(b, units)
  used[b], since[b] = used[b] + units, present(b)
end

-- From the newest; the log was read as a whole for this.
local function take_back(b, units)
  local log = log_of[b]
  local entries = log.entries
  while units > 0 and #entries > 0 do
    local newest = entries[#entries]
    local back = min(units, newest[2])
    newest[2] = newest[2] - back
    if newest[2] == 0 then entries[#entries] = nil end
    units = units - back
  end
  log.newest, log.rewrite = entries[#entries], true
end

sliding.charge = add

function sliding.settle(b, plan, reserved, really_used)
  add(b, plan, 0)
  local before = used[b]
  local after, open = settled(before, unsettled[b], reserved, really_used, plan.scale)
  if after > before then
    add(b, plan, after - before)
  else
    take_back(b, before - after)
  end
  used[b], unsettled[b] = after, open
end

function sliding.reset_after(b, plan)
  local newest = log_of[b].newest
  return newest and max(0, newest[1] + plan.period - now) or 0
end

function sliding.begin(b, _, spent, open, at)
  local first = spent > 0 and { at, spent } or nil
  log_of[b] = { entries = { first }, whole = true, rewrite = true, newest = first }
  used[b], since[b], previous[b], unsettled[b] = spent, at, nil, open
end

function sliding.rewind(b, ms)
  local log = log_of[b]
  for _, entry in ipairs(log.entries) do entry[1] = entry[1] - ms end
  log.rewrite = true
end

function sliding.inherit(b, plan, from)
  return plan.period == from.period and sliding.spent(b, plan) <= plan.full
end

kinds[SLIDING_LOG] = sliding
