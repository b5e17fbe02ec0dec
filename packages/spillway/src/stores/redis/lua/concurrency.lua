-- Leases, a family of their own beside rates: units in flight, each held by a lease until it is
-- released or ends. `used` is the sum of their units. `since` is the latest instant at which one
-- was taken or renewed. Few leases are kept in the value, many in a sorted set: see
-- lease-members.lua. A list of leases also has
--
--   kept      the leases in the value as it was read, in order of their ends; nil if they are
--             stored apart
--   sizes     the number of sizes that members may have: 1, 2, 4, ...
--   floor     the instant until which ended leases do not count any more; they are dropped a few at
--             a time
--   found     by id, what was read of a lease that was looked up; false if there is none
--   removed   by id, those that were released or renewed
--   added     by id, those that were taken or renewed
--include lists.lua
--include lease-members.lua
local LEASE, LEASE_BYTES = "<i6I4I7", 17
-- An instant before all others.
local NEVER = -SPAN
-- The most leases in a value.
local MOST_KEPT = 16
local leases = { holds_leases = true, keeps_list = true }

-- Begins a list without leases. What is stored apart is forgotten.
function leases.open(b, plan)
  local key = list_key(b, plan)
  local is_apart = list_of[b] and list_of[b].key == key and list_of[b].is_apart
  list_of[b] = {
    key = key, is_apart = is_apart, shift = 0, cuts = {}, kept = {}, sizes = 0, floor = NEVER,
    found = {}, removed = {}, added = {},
  }
  return list_of[b]
end

function leases.load(b, plan)
  local list, apart, text = leases.open(b, plan), apart_of[b], inline_of[b] or ""
  if #text % LEASE_BYTES ~= 0 then return reject(b) end
  local at = 1
  while at <= #text do
    local lease = {}
    lease.instant, lease.units, lease.id, at = unpack_bytes(LEASE, text, at)
    list.kept[#list.kept + 1] = lease
  end
  if not apart then return end
  list.sizes, list.floor, list.shift = apart[1], apart[2], apart[3]
  list.is_apart, list.kept = true, nil
  if is_there(b, list, "ZRANGE", MEMBER_BYTES) or foreign[b] then return end
  -- If Redis has evicted the leases, all units are held by a lease without an owner, for as long as
  -- possible.
  leases.open(b, plan).kept[1] = { instant = since[b] + plan.period, units = used[b], id = NO_LEASE }
end

-- Returns the units that end by an instant, as they were read, without the changes of steps.
local function count_stored(list, instant)
  if instant <= list.floor then return 0 end
  if not list.kept then return count_apart(list, instant) end
  local units = 0
  for _, lease in ipairs(list.kept) do
    if lease.instant > instant then break end
    if lease.instant > list.floor then units = units + lease.units end
  end
  return units
end

local function count_of(all, list, instant)
  local units = 0
  for _, lease in pairs(all) do
    if lease.instant > list.floor and lease.instant <= instant then units = units + lease.units end
  end
  return units
end

-- Returns the counted units that end by an instant.
local function count_until(list, instant)
  return count_stored(list, instant) - count_of(list.removed, list, instant) + count_of(list.added, list, instant)
end

-- Returns the counted units that have ended by now.
local function count_over(b)
  local list, instant = list_of[b], present(b)
  if instant <= list.floor then return 0 end
  if list.over ~= instant then list.over, list.units_over = instant, count_until(list, instant) end
  return list.units_over
end

function leases.used(b)
  return used[b] - count_over(b)
end

function leases.advance(b)
  used[b] = leases.used(b)
  list_of[b].floor = max(list_of[b].floor, present(b))
end

local function find_kept(list, id)
  for _, lease in ipairs(list.kept) do
    if lease.id == id then return lease end
  end
end

local function find_stored(list, id)
  if list.found[id] == nil then
    list.found[id] = (list.kept and find_kept or read_apart)(list, id) or false
  end
  return list.found[id] or nil
end

-- Returns the lease in flight with an id; nil if there is none. The state must have been brought to
-- now.
local function find_lease(list, id)
  local lease = list.added[id] or not list.removed[id] and find_stored(list, id) or nil
  return lease and lease.instant > list.floor and lease or nil
end

-- Removes a lease. Returns its units; 0 if there is none.
local function remove(list, id)
  local lease = find_lease(list, id)
  if not lease then return 0 end
  if list.added[id] then list.added[id] = nil else list.removed[id] = lease end
  return lease.units
end

-- Adds units to the lease with an id. It then ends no earlier than all others.
local function add(b, id, units, instant)
  local list = list_of[b]
  local before = remove(list, id)
  list.added[id] = { instant = instant, units = before + units, id = id }
end

function leases.charge(b, plan, units, id)
  leases.advance(b)
  since[b] = present(b)
  add(b, id, units, since[b] + plan.period)
  used[b] = used[b] + units
end

-- Leases are released, not settled: this only forgets ended ones.
leases.settle = leases.advance

function leases.reset_after(b, plan)
  return leases.used(b) == 0 and 0 or since[b] + plan.period - now
end

-- Units that another kind has counted are held by a lease without an owner.
function leases.begin(b, plan, ticks, _, at)
  leases.open(b, plan)
  used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
  if ticks > 0 then leases.charge(b, plan, ticks, NO_LEASE) end
end

-- Returns copies of a value's leases, moved back by `ms`, and ending by `latest`. Another
-- definition may use the old ones.
local function changed_kept(kept, ms, latest)
  local all = {}
  for index, lease in ipairs(kept) do
    all[index] = { instant = min(lease.instant - ms, latest), units = lease.units, id = lease.id }
  end
  return all
end

-- Keeps all leases in flight, but none for longer than the new limit allows.
function leases.keep(b, plan, from)
  copy_list(b, plan, "ZRANGE", MEMBER_BYTES)
  leases.advance(b)
  local list, latest = list_of[b], present(b) + plan.period
  if list.kept then list.kept = changed_kept(list.kept, 0, latest)
  elseif plan.period < from.period and not foreign[b] then shorten_apart(list, latest)
  end
  since[b] = present(b)
  return true
end

-- Returns copies of leases by id, moved back by `ms`. Another table may use the old ones.
local function moved_back(all, ms)
  local moved = {}
  for id, lease in pairs(all) do moved[id] = { instant = lease.instant - ms, units = lease.units, id = id } end
  return moved
end

-- Moves every instant back, including those of leases that this call has already taken, for example
-- for units of another kind.
function leases.rewind(b, ms)
  local list = list_of[b]
  list.floor, list.over, list.found = list.floor - ms, nil, {}
  list.added, list.removed = moved_back(list.added, ms), moved_back(list.removed, ms)
  if list.kept then list.kept = changed_kept(list.kept, ms, math.huge) else list.shift = list.shift + ms end
end

local function release_own(b, id, count)
  leases.advance(b)
  local list = list_of[b]
  local lease = find_lease(list, id)
  if not lease or lease.units ~= count then return false end
  used[b] = used[b] - remove(list, id)
  return true
end

local function renew_own(b, plan, id, count)
  local is_held = release_own(b, id, count)
  if is_held then leases.charge(b, plan, count, id) end
  return is_held
end

-- Calls a function for each state with leases under the other definitions of a limit.
local function each_other(b, visit)
  for _, other in ipairs(others_of[b] or {}) do
    if plan_of[other].algorithm == leases then visit(other, plan_of[other]) end
  end
end

-- Releases a lease under every definition.
function leases.release(b, _, id, count)
  each_other(b, function(other) release_own(other, id, count) end)
  release_own(b, id, count)
end

-- Renews a lease that is in flight, under every definition.
function leases.renew(b, plan, id, count)
  if not renew_own(b, plan, id, count) then return end
  each_other(b, function(other, its_plan)
    -- The duration was shorter here: the lease had ended, and is taken again.
    if not renew_own(other, its_plan, id, count) then leases.charge(other, its_plan, count, id) end
  end)
end

-- Returns the first instant by which `units` of the counted units end.
local function end_of(b, plan, units)
  local list, low, high = list_of[b], present(b), since[b] + plan.period
  for _, lease in ipairs(list.kept or {}) do
    local is_held = lease.instant > list.floor and not list.removed[lease.id]
    if is_held then units = units - lease.units end
    if is_held and units <= 0 then return lease.instant end
  end
  if list.kept then return high end
  while low + 1 < high do
    local middle = floor((low + high) / 2)
    if count_until(list, middle) >= units then high = middle else low = middle end
  end
  return high
end

-- Notes what a refusal depends on: when at most `most` units are used, and how many are used when a
-- block ends.
function leases.note(b, plan, most)
  local list = list_of[b]
  if blocked[b] and blocked[b] > now then list.cuts[max(since[b], blocked[b])] = true end
  if most >= 0 and leases.used(b) > most then list.cuts[end_of(b, plan, used[b] - most)] = true end
end

-- Lets the reply show all leases.
function leases.note_each(b)
  seen_of[b].is_whole = true
end

function leases.see(b, plan)
  local list = list_of[b]
  seen_of[b] = {
    key = list.key, kept = list.kept, sizes = list.sizes, shift = list.shift, floor = max(list.floor, present(b)),
    used = leases.used(b), latest = since[b] + plan.period, cuts = list.cuts, found = list.found,
  }
end

-- Returns the leases that the reply shows one by one, in order of their ends: those that steps
-- looked up, or all.
local function named(seen)
  local source, all = seen.found, {}
  if seen.is_whole then source = seen.kept or read_all(seen) end
  for _, lease in pairs(source) do
    if lease and lease.instant > seen.floor then all[#all + 1] = lease end
  end
  table.sort(all, function(one, other) return one.instant < other.instant end)
  return all
end

-- Between two cuts, all leases that no step looked up are shown as one. Its id is below -1, because
-- -1 is an empty place in the caller's `Leases`.
function leases.show(b, reply)
  local seen, count, shown, sum, next_named = seen_of[b], #reply + 1, 0, 0, 1
  local leases_named = named(seen)
  local function show_one(instant, units, id)
    reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = instant, units, id
    shown = shown + 1
  end
  reply[count], seen.cuts[seen.latest] = 0, true
  for _, cut in ipairs(sorted_keys(seen.cuts)) do
    if cut > seen.floor and cut <= seen.latest then
      local reached = cut == seen.latest and seen.used or count_stored(seen, cut)
      local others = reached - sum
      while leases_named[next_named] and leases_named[next_named].instant <= cut do
        local lease = leases_named[next_named]
        show_one(lease.instant, lease.units, lease.id)
        others, next_named = others - lease.units, next_named + 1
      end
      if others > 0 then show_one(cut, others, -2 - shown) end
      sum = reached
    end
  end
  reply[count] = shown
end

-- Returns the leases in flight of a list in the value.
local function held(list)
  local all = {}
  for _, lease in ipairs(list.kept) do
    if lease.instant > list.floor and not list.removed[lease.id] then all[#all + 1] = lease end
  end
  for _, lease in pairs(list.added) do all[#all + 1] = lease end
  return all
end

-- Divides leases between the value and the key apart. Returns the description of the part stored
-- apart, and the bytes of the leases in the value.
function leases.divide(b)
  local list, texts = list_of[b], {}
  -- If no lease that is stored apart is left, the key is deleted as a whole.
  if not list.kept and used[b] == count_of(list.added, list, math.huge) then list.kept, list.shift = {}, 0 end
  if list.kept then
    local all = held(list)
    -- A key of another program stays unchanged. Then all leases are kept in the value.
    if #all <= MOST_KEPT or not (list.is_apart or may_use(list.key, "ZRANGE", MEMBER_BYTES)) then
      for index, lease in ipairs(all) do texts[index] = pack(LEASE, lease.instant, lease.units, lease.id) end
      return "", table.concat(texts)
    end
    list.moved = all
  end
  for _, lease in pairs(list.moved or list.added) do
    each_size(lease.units, function(size) list.sizes = max(list.sizes, size) end)
  end
  return pack(APART, list.sizes, list.floor, list.shift), ""
end

function leases.write(b, expiry)
  local list = list_of[b]
  if list.kept and list.is_apart then call("UNLINK", list.key) end
  if list.kept and not list.moved then return end
  local added = write_members(list, list.removed, list.moved or list.added)
  if not list.kept then drop_over(list, added) end
  call("PEXPIRE", list.key, expiry)
end

kinds[CONCURRENCY] = leases
