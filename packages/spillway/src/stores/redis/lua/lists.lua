-- What sliding logs and leases share: what was taken is kept one by one, in order of time. A few are kept in the
-- value, behind its numbers. More are kept apart, in a key of each definition's own, of which a call reads what
-- its answers depend on, by halving: no call reads all of them. Such a key is there while the value says so.
-- `list_of` has a table for each state, of which both kinds have
--
--   key         where entries are kept apart
--   is_apart    whether there are any in that key
--   shift       by how much the instants there are ahead of the real ones, after the clock went back far
--   cuts        what the answers depend on: the reply says how much was taken until each of them
--
-- `seen_of` has what the reply shows: the list as it was before the steps.

-- The key of the entries that are kept apart under a plan.
function list_key(b, plan)
  return (string.gsub(KEYS[home[b] or b], ":{", "+" .. string.sub(plan.definition, 1, -2) .. "{", 1))
end

-- The first element of what is kept in a key, as a list of one; empty for none, nil for something else.
local function first_element(command, key)
  local texts = redis.pcall(command, key, 0, 0)
  if not texts.err then return texts end
  if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
end

-- Whether a key can be used that the value says nothing of: what an evicted state has left there is deleted.
function may_use(key, command, bytes)
  local texts = first_element(command, key)
  if not texts then return false end
  if texts[1] and #texts[1] ~= bytes then return false end
  if texts[1] then call("UNLINK", key) end
  return true
end

-- Whether what the value says is apart is there; nil, and the state is foreign, where it is something else.
local function is_there(b, list, command, bytes)
  local texts = first_element(command, list.key)
  if not texts or texts[1] and #texts[1] ~= bytes then return reject(b) end
  return texts[1] ~= nil
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

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end
