-- Many leases, as members of a sorted set in which units are counted by ranks. A lease of 5 units
-- has two members: one stands for 4 units, the other for 1. Members of one size are ordered by the
-- instants at which they end. Their score is that instant, plus SPAN for each smaller size.
local MEMBER, MEMBER_BYTES, SPAN = "<I7B", 8, 35184372088832
-- The most ended members that one call drops, in addition to as many as it adds.
local MOST_DROPPED = 128

local function score(size, instant)
  return format("%.0f", (size - 1) * SPAN + instant)
end

-- Calls a function with each size that a number of units consists of.
local function each_size(units, visit)
  local size = 1
  while units > 0 do
    if units % 2 == 1 then visit(size) end
    units, size = floor(units / 2), size + 1
  end
end

-- Returns the units of leases stored apart that count, and that end by an instant.
local function count_apart(list, instant)
  local units, after = 0, max(0, list.floor + list.shift + 1)
  for size = 1, list.sizes do
    local members = call("ZCOUNT", list.key, score(size, after), score(size, instant + list.shift))
    units = units + 2 ^ (size - 1) * members
  end
  return units
end

-- Returns a lease that is stored apart; nil if there is none.
local function read_apart(list, id)
  local members = {}
  for size = 1, list.sizes do members[size] = pack(MEMBER, id, size) end
  local lease = { units = 0, id = id }
  for size, text in ipairs(#members > 0 and call("ZMSCORE", list.key, unpack(members)) or {}) do
    if text then
      lease.units = lease.units + 2 ^ (size - 1)
      lease.instant = tonumber(text) - (size - 1) * SPAN - list.shift
    end
  end
  return lease.units > 0 and lease or nil
end

-- Makes all leases that are stored apart end by `latest`.
local function shorten_apart(list, latest)
  for size = 1, list.sizes do
    local first, last, scores = score(size, latest + list.shift), score(size + 1, -1), {}
    for _, member in ipairs(call("ZRANGEBYSCORE", list.key, "(" .. first, last)) do
      scores[#scores + 1], scores[#scores + 2] = first, member
    end
    call_with_all("ZADD", list.key, scores)
  end
end

-- Returns all leases that are stored apart.
local function read_all(list)
  local by_id, all, texts = {}, {}, call("ZRANGE", list.key, 0, -1, "WITHSCORES")
  for at = 1, #texts, 2 do
    local id, size = unpack_bytes(MEMBER, texts[at])
    local lease = by_id[id] or { units = 0, id = id }
    lease.instant = tonumber(texts[at + 1]) - (size - 1) * SPAN - list.shift
    lease.units = lease.units + 2 ^ (size - 1)
    if not by_id[id] then by_id[id], all[#all + 1] = lease, lease end
  end
  return all
end

-- Adds the members of some leases, and removes those of others. Returns how many were added.
local function write_members(list, removed, added)
  local members, scores = {}, {}
  for id, lease in pairs(removed) do
    each_size(lease.units, function(size) members[#members + 1] = pack(MEMBER, id, size) end)
  end
  for _, lease in pairs(added) do
    each_size(lease.units, function(size)
      scores[#scores + 1], scores[#scores + 2] = score(size, lease.instant + list.shift), pack(MEMBER, lease.id, size)
    end)
  end
  call_with_all("ZREM", list.key, members)
  call_with_all("ZADD", list.key, scores)
  return #scores / 2
end

-- Drops ended members: a bounded number, but more than are added, so that they can't accumulate.
local function drop_over(list, added)
  local left = MOST_DROPPED + added
  for size = 1, list.sizes do
    local first, last = score(size, 0), score(size, max(-1, list.floor + list.shift))
    local members = left > 0 and call("ZRANGEBYSCORE", list.key, first, last, "LIMIT", 0, left) or {}
    call_with_all("ZREM", list.key, members)
    left = left - #members
  end
end
