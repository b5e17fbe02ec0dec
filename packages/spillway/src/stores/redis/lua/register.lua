-- The register of exceptions, apart from the states. One call executes one command.
--
-- KEYS[1]   the ids, all with the score 0: in the order of their characters
-- KEYS[2]   the entry of each id: its revision, the instant at which it was written, its reason,
--           separated by spaces
-- KEYS[3]   the ids, by the instant from which on they may be removed
--
-- ARGV[1]   the command
-- ARGV[2]   the time for tests, in milliseconds since 1970; empty for this server's clock
-- "put"     ARGV[3] to [6]: id, revision, reason, milliseconds
-- "remove"  ARGV[3], [4]: id, revision
-- "list"    ARGV[3] to [5]: after, before, most. The reply is id, entry, id, entry, and so on
local call, format = redis.call, string.format
local ids, entries, ends = KEYS[1], KEYS[2], KEYS[3]
local verb, id, revision = ARGV[1], ARGV[3], ARGV[4]

local function now()
  if ARGV[2] ~= "" then return tonumber(ARGV[2]) end
  local time = call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function revision_of(name)
  local entry = call("HGET", entries, name)
  return entry and string.match(entry, "^%d+")
end

local function remove(names)
  if #names == 0 then return end
  call("ZREM", ids, unpack(names))
  call("ZREM", ends, unpack(names))
  call("HDEL", entries, unpack(names))
end

-- All three keys expire when the last entry may be removed.
local function put(at)
  local last = math.max(at + ARGV[6], call("ZSCORE", ends, id) or 0)
  call("ZADD", ids, 0, id)
  call("HSET", entries, id, format("%s %.0f %s", revision, at, ARGV[5]))
  call("ZADD", ends, format("%.0f", last), id)
  remove(call("ZRANGEBYSCORE", ends, "-inf", format("%.0f", at), "LIMIT", 0, 10))
  local longest = call("ZRANGE", ends, -1, -1, "WITHSCORES")[2] - at
  for _, key in ipairs(KEYS) do call("PEXPIRE", key, format("%.0f", longest)) end
end

local function list()
  local after, before, reply = "(" .. id, "(" .. revision, {}
  for _, name in ipairs(call("ZRANGEBYLEX", ids, after, before, "LIMIT", 0, ARGV[5])) do
    local entry = call("HGET", entries, name)
    if entry then
      reply[#reply + 1] = name
      reply[#reply + 1] = entry
    end
  end
  return reply
end

if verb == "list" then return list() end
if verb == "put" then put(now())
elseif revision_of(id) == revision then remove({ id }) end
return ""
