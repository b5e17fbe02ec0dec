-- Leases, a family of their own beside rates: units in flight, each held by a lease until it is released or
-- its time is over. A member of the set is the id of one and its units, its score the instant at which it is
-- over; `entry.instant` is the same. `used` is the sum of their units, `since` the latest instant at which one
-- was taken or renewed. A lease that was released stays among `entries`, without units. A list has besides
--   by_id    what is in flight, of what was read
--   over     the instant up to which members are to be dropped
--   scores   by member, the score that it gets, or false for none
--include lists.lua
-- The most leases that are read first; then twice as many each time.
local CHUNK = 128
local leases = { holds_leases = true, check_orphan = check_orphan }

local function member_of(id, units)
  return pack(ENTRY, id, units)
end

-- Makes entries all leases of a state.
function leases.open(b, entries)
  local by_id = {}
  for _, entry in ipairs(entries) do
    if entry.units > 0 then by_id[entry.id] = entry end
  end
  list_of[b] = { entries = entries, by_id = by_id, scores = {}, rewrite = true }
  return list_of[b]
end

-- Takes one out. Returns its units; 0 where there is none.
local function remove(b, id)
  local list = list_of[b]
  local entry = list.by_id[id]
  if not entry then return 0 end
  local units = entry.units
  entry.units, list.by_id[id], list.scores[member_of(id, units)] = 0, nil, false
  return units
end

-- Adds one that is over no sooner than the others. Units of one by that id are added to it.
local function add(b, id, units, instant)
  local list, before = list_of[b], remove(b, id)
  local entry = { instant = instant, units = before + units, id = id }
  list.entries[#list.entries + 1], list.by_id[id] = entry, entry
  return entry
end

function leases.charge(b, plan, units, id)
  leases.advance(b)
  local entry = add(b, id, units, present(b) + plan.period)
  list_of[b].scores[member_of(id, entry.units)] = entry.instant
  used[b], since[b] = used[b] + units, present(b)
end

-- The members that steps are to release or renew, by state; found once.
local named
local function find_named()
  local at, last = 1, steps and #steps or 0
  named = {}
  while at <= last do
    local step, b, id, units = unpack(steps, at, at + 3)
    if step == RELEASE or step == RENEW then
      named[b] = named[b] or {}
      table.insert(named[b], member_of(id, units))
    end
    at = at + width_of(at)
  end
end

-- Adds those that steps name and that last for longer than all that were read.
local function load_named(b, key)
  if not named then find_named() end
  local found = {}
  -- As few as there are calls in a request.
  for index, score in ipairs(named[b] and call("ZMSCORE", key, unpack(named[b])) or {}) do
    if score then found[#found + 1] = { instant = tonumber(score), member = named[b][index] } end
  end
  table.sort(found, function(one, other) return one.instant < other.instant end)
  for _, one in ipairs(found) do
    local id, units = decode_entry(b, one.member)
    if not list_of[b].by_id[id] then add(b, id, units, one.instant) end
  end
end

-- Reads those that are over first, until they hold what the answers depend on and one of them lasts.
function leases.load(b, plan, need)
  local wanted = need < 0 and math.huge or used[b] + need - plan.capacity_ticks
  local key, first, chunk, units = list_key(b), 0, min(max(1, wanted), CHUNK), 0
  leases.open(b, {}).rewrite = false
  repeat
    local texts = elements(b, "ZRANGE", key, first, need < 0 and -1 or first + chunk - 1, "WITHSCORES")
    for at = 1, #texts, 2 do
      local id, count = decode_entry(b, texts[at])
      if foreign[b] then return end
      local entry = add(b, id, count, tonumber(texts[at + 1]))
      units = units + count
      if entry.instant > present(b) and units >= wanted then return load_named(b, key) end
    end
    local is_all = need < 0 or #texts < 2 * chunk
    first, chunk = first + chunk, chunk * 2
  until is_all
  -- Where Redis has evicted the set and left the state, all is held by nobody, for as long as it can be.
  if units < used[b] and not foreign[b] then
    add(b, NO_LEASE, used[b] - units, since[b] + plan.period)
    list_of[b].rewrite = true
  end
end

function leases.save(b, key, expiry)
  local list, removed, added = list_of[b], {}, {}
  local function score(instant, member)
    added[#added + 1], added[#added + 2] = format("%d", instant), member
  end
  if list.rewrite then
    call("DEL", key)
    for _, entry in ipairs(list.entries) do
      if entry.units > 0 then score(entry.instant, member_of(entry.id, entry.units)) end
    end
  else
    if list.over then call("ZREMRANGEBYSCORE", key, "-inf", format("%d", list.over)) end
    for member, instant in pairs(list.scores) do
      if instant then score(instant, member) else removed[#removed + 1] = member end
    end
  end
  call_with_all("ZREM", key, removed)
  call_with_all("ZADD", key, added)
  call("PEXPIRE", key, expiry)
end

function leases.used(b)
  return used[b] - count_until(b, present(b))
end

function leases.advance(b)
  local list, instant = list_of[b], present(b)
  for _, entry in ipairs(list.entries) do
    if entry.instant > instant then break end
    if entry.units > 0 then list.by_id[entry.id] = nil end
  end
  if drop_until(b, instant) > 0 then list.over = instant end
end

-- Leases are released, not settled: this only forgets what is over.
leases.settle = leases.advance

function leases.reset_after(b, plan)
  return leases.used(b) == 0 and 0 or since[b] + plan.period - now
end

-- What another kind has counted is held by a lease of nobody's.
function leases.begin(b, plan, ticks, _, at)
  leases.open(b, {})
  used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
  if ticks > 0 then leases.charge(b, plan, ticks, NO_LEASE) end
end

-- All that is in flight stays, for no longer than the new limit lets it.
function leases.keep(b, plan)
  leases.advance(b)
  local latest = present(b) + plan.period
  for _, entry in ipairs(list_of[b].entries) do entry.instant = min(entry.instant, latest) end
  since[b], list_of[b].rewrite = present(b), true
  return true
end

local function release_own(b, id, count)
  leases.advance(b)
  local entry = list_of[b].by_id[id]
  if not entry or entry.units ~= count then return false end
  used[b] = used[b] - remove(b, id)
  return true
end

local function renew_own(b, plan, id, count)
  local is_held = release_own(b, id, count)
  if is_held then leases.charge(b, plan, count, id) end
  return is_held
end

-- Calls a function for the states that lend, under the other definitions of a limit.
local function each_other(b, visit)
  for _, other in ipairs(others_of[b] or {}) do
    if plan_of[other].algorithm == leases then visit(other, plan_of[other]) end
  end
end

-- Gives back what a lease holds, under every definition.
function leases.release(b, _, id, count)
  each_other(b, function(other) release_own(other, id, count) end)
  release_own(b, id, count)
end

-- Lets a lease that is in flight last for its whole time from now, under every definition.
function leases.renew(b, plan, id, count)
  if not renew_own(b, plan, id, count) then return end
  each_other(b, function(other, its_plan)
    -- Where its time was shorter, the lease was over, and is in flight again.
    if not renew_own(other, its_plan, id, count) then leases.charge(other, its_plan, count, id) end
  end)
end

kinds[CONCURRENCY] = leases
