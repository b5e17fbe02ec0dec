-- Sliding log: every charge is kept for one period, oldest first. `used` is the sum of their units.
-- An entry is its instant and the sum of all units taken until then. So one read shows the units
-- taken until any entry. Sums wrap around at SUMS; no log holds half of that. Entries are numbered
-- from 1. The newest are in the value, as `tail`. The part stored apart is a list of whole pages. A
-- log also has
--
--   pages       the number of pages before the tail
--   head        the last entry that does not count any more; it is dropped with its page
--   base        the sum at `head`
--   length, sum   the number of the newest entry, and the sum there
--   read        the pages that were read
--include lists.lua
local ENTRY, ENTRY_BYTES, SUMS = "<i6I7", 13, 9007199254740992
-- Entries in a page.
local PAGE = 32
local PAGE_BYTES = PAGE * ENTRY_BYTES
-- The most pages that one call drops.
local MOST_DROPPED = 1024
local log = { has_history = true, keeps_list = true }

local function plus(sum, units)
  return sum >= SUMS - units and sum - (SUMS - units) or sum + units
end

local function minus(sum, earlier)
  return sum < earlier and sum - earlier + SUMS or sum - earlier
end

local function page_at(list, page)
  local text = list.read[page]
  if not text then
    text = call("LINDEX", list.key, page - 1)
    list.read[page] = text
  end
  return text
end

-- Returns the instant of an entry, and the sum of all units until then.
local function entry_at(list, number)
  local text, offset = list.tail, (number - list.pages * PAGE - 1) * ENTRY_BYTES
  if offset < 0 then text, offset = page_at(list, ceil(number / PAGE)), (number - 1) % PAGE * ENTRY_BYTES end
  local instant, sum = unpack_bytes(ENTRY, text, offset + 1)
  return instant - list.shift, sum
end

local function sum_at(list, number)
  if number == list.head then return list.base end
  local _, sum = entry_at(list, number)
  return sum
end

-- Returns the last entry until an instant; `head` if there is none.
local function last_until(list, instant)
  local low, high = list.head, list.length
  if low == high or entry_at(list, low + 1) > instant then return low end
  while low < high do
    local middle = ceil((low + high) / 2)
    if entry_at(list, middle) <= instant then low = middle else high = middle - 1 end
  end
  return low
end

-- Returns the last entry after which at least `units` units were taken; `head` if there is none.
local function last_before(list, units)
  local low, high = list.head, list.length
  while low < high do
    local middle = ceil((low + high) / 2)
    if minus(list.sum, sum_at(list, middle)) >= units then low = middle else high = middle - 1 end
  end
  return low
end

-- Sets the entries that are kept in the value.
local function set_tail(list, tail)
  list.tail, list.length = tail, list.pages * PAGE + #tail / ENTRY_BYTES
  list.sum = list.length > list.head and select(2, entry_at(list, list.length)) or list.base
end

local function append(list, instant, sum)
  list.tail = list.tail .. pack(ENTRY, instant + list.shift, sum)
  list.length, list.sum = list.length + 1, sum
end

-- Begins an empty log. What is stored apart is forgotten.
function log.open(b, plan)
  local key = list_key(b, plan)
  local is_apart = list_of[b] and list_of[b].key == key and list_of[b].is_apart
  list_of[b] = {
    key = key, is_apart = is_apart, pages = 0, head = 0, base = 0, shift = 0, tail = "", length = 0, sum = 0,
    read = {}, cuts = {}, stored = 0,
  }
  return list_of[b]
end

function log.load(b, plan)
  local list, apart, tail = log.open(b, plan), apart_of[b], inline_of[b] or ""
  if #tail % ENTRY_BYTES ~= 0 then return reject(b) end
  if apart then
    list.pages, list.head, list.shift = apart[1], apart[2], apart[3]
    list.is_apart, list.stored = list.pages > 0, list.pages
  end
  -- If Redis has evicted the pages, all units count as taken at the instant of the newest.
  if list.is_apart and not is_there(b, list, "LRANGE", PAGE_BYTES) then
    list.is_apart, list.pages, list.head, list.stored = false, 0, 0, 0
    tail = pack(ENTRY, since[b] + list.shift, used[b])
  end
  set_tail(list, tail)
  list.base = minus(list.sum, used[b])
end

-- Returns the last entry that has expired.
local function last_over(b, plan)
  local list, over = list_of[b], present(b) - plan.period
  if list.over ~= over then list.over, list.last_over = over, last_until(list, over) end
  return list.last_over
end

function log.used(b, plan)
  local list = list_of[b]
  return minus(list.sum, sum_at(list, last_over(b, plan)))
end

function log.advance(b, plan)
  local list, over = list_of[b], last_over(b, plan)
  list.base = sum_at(list, over)
  list.head = over
  used[b] = minus(list.sum, list.base)
  unsettled[b] = min(unsettled[b], used[b])
end

function log.reset_after(b, plan)
  local list = list_of[b]
  if list.length == list.head then return 0 end
  return max(0, entry_at(list, list.length) + plan.period - now)
end

local function push(b, units)
  local list, instant = list_of[b], present(b)
  local sum = plus(list.sum, units)
  if list.length == list.head then list.base, sum = 0, units end
  if list.length > list.head and entry_at(list, list.length) == instant then
    list.tail, list.length = string.sub(list.tail, 1, -ENTRY_BYTES - 1), list.length - 1
  end
  append(list, instant, sum)
  since[b] = instant
end

-- Drops all entries after one.
local function truncate(list, number)
  if number <= list.pages * PAGE then
    local whole = max(0, ceil(number / PAGE) - 1)
    local tail = number > 0 and string.sub(page_at(list, whole + 1), 1, (number - whole * PAGE) * ENTRY_BYTES) or ""
    list.pages = whole
    return set_tail(list, tail)
  end
  set_tail(list, string.sub(list.tail, 1, (number - list.pages * PAGE) * ENTRY_BYTES))
end

-- Takes units back, from the newest entries.
local function take_back(b, units)
  local list = list_of[b]
  local last, sum = last_before(list, units), minus(list.sum, units)
  list.cuts[last], list.cuts[last + 1] = true, true
  local instant = last < list.length and sum ~= sum_at(list, last) and entry_at(list, last + 1)
  truncate(list, last)
  if instant then append(list, instant, sum) end
end

function log.record(b, change)
  if change > 0 then push(b, change) else take_back(b, -change) end
end

-- Notes what a refusal depends on: when at most `most` units are used, and how many are used when a
-- block ends.
function log.note(b, plan, most)
  local list = list_of[b]
  if blocked[b] and blocked[b] > now then list.cuts[last_until(list, max(since[b], blocked[b]) - plan.period)] = true end
  if most >= 0 and log.used(b, plan) > most then list.cuts[last_before(list, most + 1) + 1] = true end
end

-- Lets the reply show the oldest entries, one by one, until `units` units are free.
function log.note_each(b, plan, units)
  local list, number = list_of[b], last_over(b, plan)
  local before, most = sum_at(list, number), log.used(b, plan) + units - plan.capacity_ticks
  while number < list.length and minus(sum_at(list, number), before) < most do
    number = number + 1
    list.cuts[number] = true
  end
  seen_of[b].is_whole = number == list.length
  if not seen_of[b].is_whole then log.note(b, plan, -1) end
end

function log.see(b, plan)
  local list, over = list_of[b], last_over(b, plan)
  seen_of[b] = {
    key = list.key, pages = list.pages, head = over, base = sum_at(list, over), length = list.length, shift = list.shift,
    tail = list.tail, read = list.read, cuts = list.cuts,
  }
end

-- If the number of entries is below 0, an entry may stand for several.
function log.show(b, reply)
  local seen, count = seen_of[b], #reply + 1
  local sum, shown = seen.base, 0
  if seen.length > seen.head then seen.cuts[seen.head + 1], seen.cuts[seen.length] = true, true end
  reply[count] = 0
  for _, number in ipairs(sorted_keys(seen.cuts)) do
    if number > seen.head and number <= seen.length then
      local instant, reached = entry_at(seen, number)
      reply[#reply + 1], reply[#reply + 2] = instant, minus(reached, sum)
      sum, shown = reached, shown + 1
    end
  end
  reply[count] = seen.is_whole and shown or -shown
end

-- Divides a log between its value and the key apart. Returns the description of the part stored
-- apart, and the tail.
function log.divide(b)
  local list = list_of[b]
  if list.length == list.head then list.pages, list.head, list.tail, list.shift = 0, 0, "", 0 end
  list.dropped = min(floor(list.head / PAGE), list.pages, MOST_DROPPED)
  list.kept = list.pages - list.dropped
  local head, tail, pushed = list.head - list.dropped * PAGE, list.tail, {}
  if list.kept == 0 then head, tail = 0, string.sub(tail, head * ENTRY_BYTES + 1) end
  local is_free = nil
  while #tail > PAGE_BYTES do
    if is_free == nil then is_free = list.is_apart or may_use(list.key, "LRANGE", PAGE_BYTES) end
    -- A key of another program stays unchanged. Then everything is kept in the value.
    if not is_free then break end
    pushed[#pushed + 1], tail = string.sub(tail, 1, PAGE_BYTES), string.sub(tail, PAGE_BYTES + 1)
  end
  list.pushed = pushed
  local pages = list.kept + #pushed
  return (pages > 0 or list.shift ~= 0) and pack(APART, pages, head, list.shift) or "", tail
end

function log.write(b, expiry)
  local list = list_of[b]
  if list.is_apart and list.kept == 0 then call("UNLINK", list.key)
  elseif list.is_apart and (list.dropped > 0 or list.pages < list.stored) then
    call("LTRIM", list.key, list.dropped, list.pages - 1)
  end
  call_with_all("RPUSH", list.key, list.pushed)
  if list.kept + #list.pushed > 0 then call("PEXPIRE", list.key, expiry) end
end

-- Moves every instant back.
function log.rewind(b, ms)
  list_of[b].shift, list_of[b].over = list_of[b].shift + ms, nil
end

kinds[SLIDING_LOG] = rate(log)
local serves = log.keep
-- Gives a state its own copy of the log, if the log under the other plan can be used.
function log.keep(b, plan, from)
  if not serves(b, plan, from) then return false end
  copy_list(b, plan, "LRANGE", PAGE_BYTES)
  return true
end
