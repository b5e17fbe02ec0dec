-- Sliding log: every charge is kept for one period, oldest first; `used` is the sum of their units. A list has
-- besides
--   is_whole   whether all of it was read
--   newest     its last entry; nil where it is empty
--   dropped, joined, pushed   how many entries to drop, what the last one becomes, which ones follow
--include lists.lua
-- How many entries are read first; then twice as many each time.
local CHUNK = 16
local log = { has_history = true, check_orphan = check_orphan }

local function encode(entry)
  return pack(ENTRY, entry.instant, entry.units)
end

-- Makes entries the whole list.
function log.open(b, entries)
  list_of[b] = { entries = entries, is_whole = true, newest = entries[#entries], dropped = 0, rewrite = true }
  return list_of[b]
end

-- Reads what the answers depend on, where `need` units might be asked for; all of it for -1.
function log.load(b, plan, need)
  local key, over, units, chunk = list_key(b), present(b) - plan.period, 0, CHUNK
  local list = log.open(b, {})
  local entries, texts = list.entries, nil
  list.rewrite = false
  repeat
    texts = elements(b, "LRANGE", key, #entries, need < 0 and -1 or #entries + chunk - 1)
    for _, text in ipairs(texts) do
      local instant, count = decode_entry(b, text)
      if foreign[b] then return end
      entries[#entries + 1], units = { instant = instant, units = count }, units + count
    end
    list.is_whole, chunk = need < 0 or #texts < chunk, chunk * 2
    local is_enough = #texts > 0 and entries[#entries].instant > over and units >= used[b] + need - plan.capacity_ticks
  until list.is_whole or is_enough
  if not list.is_whole then
    local instant, count = decode_entry(b, call("LINDEX", key, -1))
    list.newest = { instant = instant, units = count }
    return
  end
  -- Where Redis has evicted the list and left the state, all counts as the newest.
  if units < used[b] then
    entries[#entries + 1], list.rewrite = { instant = since[b], units = used[b] - units }, true
  end
  list.newest = entries[#entries]
end

function log.save(b, key, expiry)
  local list, texts = list_of[b], {}
  if list.rewrite then
    call("DEL", key)
  else
    if list.dropped > 0 then call("LTRIM", key, list.dropped, -1) end
    if list.joined then call("LSET", key, -1, encode(list.joined)) end
  end
  for index, entry in ipairs(list.rewrite and list.entries or list.pushed or {}) do texts[index] = encode(entry) end
  call_with_all("RPUSH", key, texts)
  call("PEXPIRE", key, expiry)
end

function log.used(b, plan)
  return used[b] - count_until(b, present(b) - plan.period)
end

function log.advance(b, plan)
  local list, dropped = list_of[b], drop_until(b, present(b) - plan.period)
  list.dropped = list.dropped + dropped
  if list.is_whole then list.newest = list.entries[#list.entries] end
  unsettled[b] = min(unsettled[b], used[b])
end

function log.reset_after(b, plan)
  local newest = list_of[b].newest
  return newest and max(0, newest.instant + plan.period - now) or 0
end

local function push(b, units)
  local list, instant = list_of[b], present(b)
  local newest = list.newest
  if newest and newest.instant == instant then
    newest.units = newest.units + units
    if not list.pushed then list.joined = newest end
  else
    list.newest, list.pushed = { instant = instant, units = units }, list.pushed or {}
    list.pushed[#list.pushed + 1] = list.newest
    if list.is_whole then list.entries[#list.entries + 1] = list.newest end
  end
  since[b] = instant
end

-- From the newest. The log was read as a whole for this.
local function take_back(b, units)
  local list = list_of[b]
  local entries = list.entries
  while units > 0 and #entries > 0 do
    local newest = entries[#entries]
    local back = min(units, newest.units)
    newest.units, units = newest.units - back, units - back
    if newest.units == 0 then entries[#entries] = nil end
  end
  list.newest, list.rewrite = entries[#entries], true
end

function log.record(b, change)
  if change > 0 then push(b, change) else take_back(b, -change) end
end

kinds[SLIDING_LOG] = rate(log)
