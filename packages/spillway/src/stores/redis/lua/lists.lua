-- What sliding logs and concurrency limits share: a second key beside the state's, where what was taken
-- is kept one by one, 16 bytes each; a list or a sorted set.
local ENTRY = 16

-- The elements that a command reads; nil, and the state is nobody's, where the key is something else.
function elements_of(b, ...)
  local texts = redis.pcall(...)
  if not texts.err then return texts end
  if not string.find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
  foreign[b] = true
end

-- Two numbers that an element holds; nil, and the state is nobody's, where it is none of ours.
function numbers_of(b, text)
  if #text == ENTRY then return unpack_bytes("<dd", text) end
  foreign[b] = true
end

-- A key without a state, whose state was evicted: ours, of either kind, or something else by its name?
function check_orphan(b, key)
  local kind, texts = call("TYPE", key).ok, {}
  if kind == "none" then return end
  if kind == "list" then texts = call("LRANGE", key, 0, 0) end
  if kind == "zset" then texts = call("ZRANGE", key, 0, 0) end
  if not texts[1] or #texts[1] ~= ENTRY then foreign[b] = true end
end
