-- Concurrency: units in flight, each held by a lease until it is given back or its time is over. The
-- leases are a sorted set of their own: a member is the id of one and its units, 16 bytes, its score the
-- instant at which it is forgotten. `used` is the sum of their units, `since` the latest instant at which
-- one was taken or renewed. Only as much of the set is read as an answer depends on, and what changes is
-- written when all steps are done. The leases of a state are here
--
--   entries   those that are forgotten first, and those that steps name, in order: { instant, units,
--             id } each, without units once it is given back
--   by_id     the same by id, without what is given back
--   rewrite   whether the set is to be written anew, from `entries`
--   over      else: the instant up to which its members are to be dropped
--   scores    and, by member, the score that it gets, or false for none
-- The most leases that are read first; then twice as many each time.
local CHUNK = 128
local concurrency = {}

local function member_of(id, units)
  return pack("<dd", id, units)
end

local function present(b)
  return max(since[b], now)
end

local function no_leases(b, rewrite)
  leases_of[b] = { entries = {}, by_id = {}, scores = {}, rewrite = rewrite }
end

-- Takes one out, and returns its units; 0 where there is none.
local function remove(b, id)
  local leases = leases_of[b]
  local entry = leases.by_id[id]
  if not entry then return 0 end
  local units = entry[2]
  entry[2], leases.by_id[id], leases.scores[member_of(id, units)] = 0, nil, false
  return units
end

-- Adds one that is forgotten no sooner than the others; units of one that is there are added.
local function add(b, id, units, ends)
  local leases, more = leases_of[b], remove(b, id)
  local entry = { ends, units + more, id }
  leases.entries[#leases.entries + 1], leases.by_id[id] = entry, entry
  if more == 0 then return end
  leases.scores[member_of(id, units)], leases.scores[member_of(id, units + more)] = false, ends
end

-- The members that steps are to release or renew, by state: made for the first that has leases.
local named
local function members_named(b)
  if named then return named[b] or {} end
  named = {}
  local at = 1
  while steps and at <= #steps do
    local step, place = steps[at], steps[at + 1]
    if step == RELEASE or step == RENEW then
      named[place] = named[place] or {}
      table.insert(named[place], member_of(steps[at + 2], steps[at + 3]))
    end
    at = at + (step > 0 and 1 or step == TAKE and 2 + ASK * place or 1 + FIELDS[step])
  end
  return members_named(b)
end

-- Reads leases, the first to be forgotten first, until they hold `wanted` units and one of them lasts.
-- Returns their units, and whether there are no more.
local function read(b, key, wanted)
  local units, first, chunk = 0, 0, min(max(1, wanted), CHUNK)
  while true do
    local last = wanted < math.huge and first + chunk - 1 or -1
    local texts = elements_of(b, "ZRANGE", key, first, last, "WITHSCORES")
    for at = 1, texts and #texts or 0, 2 do
      local id, held = numbers_of(b, texts[at])
      if not id then break end
      local ends = tonumber(texts[at + 1])
      add(b, id, held, ends)
      units = units + held
      if ends > present(b) and units >= wanted then return units, false end
    end
    if foreign[b] or last == -1 or #texts < 2 * chunk then return units, true end
    first, chunk = first + chunk, chunk * 2
  end
end

-- Adds those that steps name and that last for longer than all that were read.
local function read_named(b, key)
  local members, found = members_named(b), {}
  for first = 1, #members, AT_ONCE do
    local last = min(first + AT_ONCE - 1, #members)
    local scores = call("ZMSCORE", key, unpack(members, first, last))
    for index = first, last do
      local score = scores[index - first + 1]
      if score then found[#found + 1] = { tonumber(score), members[index] } end
    end
  end
  table.sort(found, function(one, other) return one[1] < other[1] end)
  for _, one in ipairs(found) do
    local id, units = numbers_of(b, one[2])
    if not leases_of[b].by_id[id] then add(b, id, units, one[1]) end
  end
end

-- Reads what answers depend on, where `need` units might be asked for; -1 reads everything.
function concurrency.load(b, plan, key, need)
  no_leases(b, false)
  local wanted = need < 0 and math.huge or used[b] + need - plan.full
  local units, whole = read(b, key, wanted)
  if foreign[b] then return end
  if not whole then return read_named(b, key) end
  -- Where Redis has evicted the set and left the state, all is held by nobody, for as long as it can be.
  if units < used[b] then
    add(b, 0, used[b] - units, since[b] + plan.period)
    leases_of[b].rewrite = true
  end
end

-- ZREM and ZADD, with as many arguments at once as can be.
local function change_all(command, key, values)
  for first = 1, #values, AT_ONCE do
    call(command, key, unpack(values, first, min(first + AT_ONCE - 1, #values)))
  end
end

local function write_anew(b, key)
  local pairs_of = {}
  for _, entry in ipairs(leases_of[b].entries) do
    if entry[2] > 0 then
      pairs_of[#pairs_of + 1] = format("%d", entry[1])
      pairs_of[#pairs_of + 1] = member_of(entry[3], entry[2])
    end
  end
  call("DEL", key)
  change_all("ZADD", key, pairs_of)
end

function concurrency.save(b, key, ttl)
  local leases, removed, added = leases_of[b], {}, {}
  if leases.rewrite then
    write_anew(b, key)
  else
    if leases.over then call("ZREMRANGEBYSCORE", key, "-inf", format("%d", leases.over)) end
    for member, score in pairs(leases.scores) do
      if score then
        added[#added + 1], added[#added + 2] = format("%d", score), member
      else
        removed[#removed + 1] = member
      end
    end
    change_all("ZREM", key, removed)
    change_all("ZADD", key, added)
  end
  call("PEXPIRE", key, ttl)
end

-- Units, and entries, whose time is over.
local function gone(b)
  local instant, units, entries = present(b), 0, 0
  for _, entry in ipairs(leases_of[b].entries) do
    if entry[1] > instant then break end
    units, entries = units + entry[2], entries + 1
  end
  return units, entries
end

function concurrency.spent(b)
  return used[b] - gone(b)
end

local function drop(b)
  local leases, units, entries = leases_of[b], gone(b)
  if entries == 0 then return end
  local kept = {}
  for index, entry in ipairs(leases.entries) do
    if index > entries then
      kept[#kept + 1] = entry
    elseif entry[2] > 0 then
      leases.by_id[entry[3]] = nil
    end
  end
  used[b], leases.entries, leases.over = used[b] - units, kept, present(b)
end

local function lend(b, plan, id, units)
  drop(b)
  local ends = present(b) + plan.period
  leases_of[b].scores[member_of(id, units)] = ends
  add(b, id, units, ends)
  used[b], since[b] = used[b] + units, present(b)
end

function concurrency.charge(b, plan, count, _, id)
  lend(b, plan, id or 0, count)
end

-- Gives back what a lease holds, if it is in flight. Returns whether it is.
function concurrency.release(b, _, id, count)
  drop(b)
  local entry = leases_of[b].by_id[id]
  if not entry or entry[2] ~= count then return false end
  used[b] = used[b] - remove(b, id)
  return true
end

-- Lets a lease last anew, if it is in flight. Returns whether it is.
function concurrency.renew(b, plan, id, count)
  if not concurrency.release(b, plan, id, count) then return false end
  lend(b, plan, id, count)
  return true
end

-- Leases are given back, not settled: this only forgets what is over.
function concurrency.settle(b)
  drop(b)
end

function concurrency.unsettled() return 0 end

function concurrency.reset_after(b, plan)
  return concurrency.spent(b) == 0 and 0 or since[b] + plan.period - now
end

-- What another kind has counted is held by a lease of nobody's.
function concurrency.begin(b, plan, spent, _, at)
  no_leases(b, true)
  used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
  if spent > 0 then lend(b, plan, 0, spent) end
end

function concurrency.rewind(b, ms)
  for _, entry in ipairs(leases_of[b].entries) do entry[1] = entry[1] - ms end
  leases_of[b].rewrite = true
end

-- All that is in flight stays, for no longer than the new limit lets it.
function concurrency.inherit(b, plan)
  drop(b)
  local latest = present(b) + plan.period
  for _, entry in ipairs(leases_of[b].entries) do entry[1] = min(entry[1], latest) end
  since[b], leases_of[b].rewrite = present(b), true
  return true
end

kinds[CONCURRENCY] = concurrency
