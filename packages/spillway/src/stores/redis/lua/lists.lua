-- Common to sliding logs and leases, which keep every charge or lease, in order of time. A few are
-- kept in the value, after its numbers. If there are more, they are stored apart, in a key of each
-- definition. A call finds the entries that its answers depend on by binary search. Only a peek may
-- read all of them. Such a key exists as long as the value mentions it.
-- `list_of` has a table for each state, in which both kinds have
--
--   key         the key of entries that are stored apart
--   is_apart    whether that key has any
--   shift       by how much the instants there are ahead of the real ones, after the clock stepped
--               back far
--   cuts        the points that answers depend on: the reply has the units taken until each of them
--
-- `seen_of` has the list as it was before the steps, for the reply.

-- Returns the key of entries that are stored apart under a plan.
function list_key(b, plan)
  return (string.gsub(KEYS[home[b] or b], ":{", "+" .. string.sub(plan.definition, 1, -2) .. "{", 1))
end

-- Returns the first element in a key, as a list; an empty list if there is none; nil if the key has
-- another type.
local function first_element(command, key)
  local texts = redis.pcall(command, key, 0, 0)
  if not texts.err then return texts end
  if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
end

-- Whether a key that the value does not mention can be used. Deletes what an evicted state has left
-- there.
function may_use(key, command, bytes)
  local texts = first_element(command, key)
  if not texts then return false end
  if texts[1] and #texts[1] ~= bytes then return false end
  if texts[1] then call("UNLINK", key) end
  return true
end

-- Whether the entries exist that the value mentions. If the key holds something else, returns nil,
-- and the state becomes foreign.
local function is_there(b, list, command, bytes)
  local texts = first_element(command, list.key)
  if not texts or texts[1] and #texts[1] ~= bytes then return reject(b) end
  return texts[1] ~= nil
end

-- Calls a command with all arguments, with as many at once as possible.
local function call_with_all(command, key, arguments)
  for first = 1, #arguments, MOST_ARGUMENTS do
    call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
  end
end

-- Returns the time for a list: now, but never before its newest entry.
local function present(b)
  return max(since[b], now)
end

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end
