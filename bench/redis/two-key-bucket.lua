-- A token bucket in two keys: how many units are left, and when that was so.
--
-- KEYS[1]   units left
-- KEYS[2]   when, in seconds since 1970
-- ARGV      units that come back each second, the most there can be, seconds since 1970, the ask

local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local now, count = tonumber(ARGV[3]), tonumber(ARGV[4])

local left = tonumber(redis.call("GET", KEYS[1]) or capacity)
local counted = tonumber(redis.call("GET", KEYS[2]) or now)
left = math.min(capacity, left + math.max(0, now - counted) * rate)

local admitted = left >= count
if admitted then left = left - count end

local ttl = math.ceil(2 * capacity / rate)
redis.call("SETEX", KEYS[1], ttl, left)
redis.call("SETEX", KEYS[2], ttl, now)
return { admitted and 1 or 0, math.floor(left) }
