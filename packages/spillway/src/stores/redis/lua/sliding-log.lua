-- Sliding log: every charge is kept for one period, oldest first; `used` is the sum of their units. Where not all
-- of it is read, the last of `entries` is the newest all the same. A list has besides
--   dropped, joined, pushed   how many entries to drop, what the newest becomes, which ones follow
--include lists.lua
-- How many entries are read first; then twice as many each time.
local CHUNK = 16
local log = { has_history = true, check_orphan = check_orphan }

local function encode(entry)
  return pack(ENTRY, entry.instant, entry.units)
end

-- Makes entries the whole list.
function log.open(b, entries)
  list_of[b] = { entries = entries, dropped = 0, pushed = {}, rewrite = true }
  return list_of[b]
end

-- Reads what the answers depend on, where `need` units might be asked for; all of it for -1.
function log.load(b, plan, need)
  local key, over, units, chunk = list_key(b), present(b) - plan.period, 0, CHUNK
  local list = log.open(b, {})
  local entries = list.entries
  local function read(first, last)
    local texts = elements(b, "LRANGE", key, first, last)
    for _, text in ipairs(texts) do
      local instant, count = decode_entry(b, text)
      if foreign[b] then return 0 end
      entries[#entries + 1], units = { instant = instant, units = count }, units + count
    end
    return #texts
  end
  list.rewrite = false
  while need >= 0 and read(#entries, #entries + chunk - 1) == chunk do
    if entries[#entries].instant > over and units >= used[b] + need - plan.capacity_ticks then return read(-1, -1) end
    chunk = chunk * 2
  end
  if need < 0 then read(0, -1) end
  -- Where Redis has evicted the list and left the state, all counts as the newest.
  if units < used[b] and not foreign[b] then
    entries[#entries + 1], list.rewrite = { instant = since[b], units = used[b] - units }, true
  end
end

function log.save(b, key, expiry)
  local list, texts = list_of[b], {}
  if list.rewrite then
    call("DEL", key)
  else
    if list.dropped > 0 then call("LTRIM", key, list.dropped, -1) end
    if list.joined then call("LSET", key, -1, encode(list.joined)) end
  end
  for index, entry in ipairs(list.rewrite and list.entries or list.pushed) do texts[index] = encode(entry) end
  call_with_all("RPUSH", key, texts)
  call("PEXPIRE", key, expiry)
end

function log.used(b, plan)
  return used[b] - count_until(b, present(b) - plan.period)
end

function log.advance(b, plan)
  local dropped = drop_until(b, present(b) - plan.period)
  list_of[b].dropped = list_of[b].dropped + dropped
  unsettled[b] = min(unsettled[b], used[b])
end

function log.reset_after(b, plan)
  local entries = list_of[b].entries
  local newest = entries[#entries]
  return newest and max(0, newest.instant + plan.period - now) or 0
end

local function push(b, units)
  local list, instant = list_of[b], present(b)
  local newest = list.entries[#list.entries]
  if newest and newest.instant == instant then
    newest.units = newest.units + units
    if #list.pushed == 0 then list.joined = newest end
  else
    newest = { instant = instant, units = units }
    list.entries[#list.entries + 1], list.pushed[#list.pushed + 1] = newest, newest
  end
  since[b] = instant
end

-- From the newest. The log was read as a whole for this.
local function take_back(b, units)
  local entries = list_of[b].entries
  while units > 0 and #entries > 0 do
    local newest = entries[#entries]
    local back = min(units, newest.units)
    newest.units, units = newest.units - back, units - back
    if newest.units == 0 then entries[#entries] = nil end
  end
  list_of[b].rewrite = true
end

function log.record(b, change)
  if change > 0 then push(b, change) else take_back(b, -change) end
end

kinds[SLIDING_LOG] = rate(log)
