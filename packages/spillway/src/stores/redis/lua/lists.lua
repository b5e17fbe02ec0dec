-- What sliding logs and leases share: a second key beside the state's, where what was taken is kept one by
-- one, each of 16 bytes. As much of it is read as the answers depend on, and what changes is written when
-- all steps are done. `list_of` has a table for each state:
--
--   entries   those that were read, in order: `instant`, `units` and, of a lease, `id`
--   rewrite   whether all is to be written anew, from `entries`
local ENTRY, ENTRY_BYTES = "<dd", 16

-- The elements that a command reads; none, and the state is foreign, where the key is something else.
local function elements(b, ...)
  local texts = redis.pcall(...)
  if not texts.err then return texts end
  if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
  reject(b)
  return {}
end

-- The two numbers of an element; none, and the state is foreign, where it is not ours.
local function decode_entry(b, text)
  if #text == ENTRY_BYTES then return unpack_bytes(ENTRY, text) end
  reject(b)
end

-- A list without a state, which was evicted: ours, of either kind, or something else by that name?
local function check_orphan(b)
  local key, texts = list_key(b), {}
  local type = call("TYPE", key).ok
  if type == "none" then return end
  if type == "list" then texts = call("LRANGE", key, 0, 0) end
  if type == "zset" then texts = call("ZRANGE", key, 0, 0) end
  if not texts[1] or #texts[1] ~= ENTRY_BYTES then reject(b) end
end

-- A command with as many arguments at once as can be.
local function call_with_all(command, key, arguments)
  for first = 1, #arguments, MOST_ARGUMENTS do
    call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
  end
end

-- The time as a list sees it: never before its newest entry.
local function present(b)
  return max(since[b], now)
end

-- Units, and entries, up to an instant.
local function count_until(b, instant)
  local units, entries = 0, 0
  for _, entry in ipairs(list_of[b].entries) do
    if entry.instant > instant then break end
    units, entries = units + entry.units, entries + 1
  end
  return units, entries
end

-- Drops what is over by an instant. Returns how many entries that were.
local function drop_until(b, instant)
  local list, units, entries = list_of[b], count_until(b, instant)
  if entries == 0 then return 0 end
  local kept = {}
  for index = entries + 1, #list.entries do kept[#kept + 1] = list.entries[index] end
  used[b], list.entries = used[b] - units, kept
  return entries
end
