/** The Lua files beside this one, as `npm run embed` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "02b265a96ca8dc5df60ff837d799eb36336673bc",
  source: `local pack, unpack_bytes, format, find = struct.pack, struct.unpack, string.format, string.find
local call, min, max, floor, ceil = redis.call, math.min, math.max, math.floor, math.ceil
local EXACT = 4503599627370496
local MOST_ARGUMENTS = 4000
local NO_LEASE = 0
local TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, LEAKY_BUCKET, CONCURRENCY, TAKE, SETTLE, RESET, BLOCK, UNBLOCK, RELEASE, RENEW, TAKE_UNITS, ASK, REPLY_HEAD, REPLY_STATE, REPLY_MORE, REPLY_ENTRY, REPLY_LEASE, REPLY_CHARGED = 1, 3, 4, 5, 2, 6, -1, -2, -3, -4, -5, -6, -7, -8, 5, 2, 3, 3, 2, 3, 2
local now, linger = tonumber(ARGV[3]), 3600000
if not now then
  local time = call("TIME")
  now, linger = time[1] * 1000 + floor(time[2] / 1000), 0
end
local NUMBERS, NUMBERS_BYTES = "<I7i7I7", 21
local MORE, MORE_BYTES = "<I7i7", 14
local STATE = "<c0I7i7I7"
local function plan_from(definition, kind, rate, period, ticks_per_unit, refill_per_ms, capacity_ticks, debt_ticks)
  return {
    definition = definition, kind = kind, rate = rate, period = period, ticks_per_unit = ticks_per_unit,
    refill_per_ms = refill_per_ms, capacity_ticks = capacity_ticks, debt_ticks = debt_ticks,
  }
end
local plans, request = cjson.decode(ARGV[1]), nil
for index = 1, #plans do plans[index] = plan_from(unpack(plans[index])) end
if ARGV[2] and ARGV[2] ~= "" then request = cjson.decode(ARGV[2]) end
local budgets = request and request.budgets or #KEYS
local values = call("MGET", unpack(KEYS, 1, min(budgets, MOST_ARGUMENTS)))
for first = MOST_ARGUMENTS + 1, budgets, MOST_ARGUMENTS do
  local chunk = call("MGET", unpack(KEYS, first, min(first + MOST_ARGUMENTS - 1, budgets)))
  for index = 1, #chunk do values[first + index - 1] = chunk[index] end
end
local owners, extras, steps
if request then owners, extras, steps = request.owners, request.extras, request.steps end
if not request or request.takes_units then
  local is_plain, fresh, reply, charged = true, nil, { now, 0 }, 0
  local plan_of, used_of, since_of, unsettled_of, changed
  if steps then plan_of, used_of, since_of, unsettled_of, changed = {}, {}, {}, {}, {} end
  for b = 1, budgets do
    local plan, value, used, since, unsettled = plans[owners and owners[b] or 1], values[b], 0, now, 0
    local definition = plan.definition
    if not value then
      fresh = fresh or {}
      fresh[#fresh + 1] = KEYS[b]
    elseif #value == #definition + NUMBERS_BYTES and find(value, definition, 1, true) == 1 then
      used, since, unsettled = unpack_bytes(NUMBERS, value, #definition + 1)
    else
      is_plain = false
    end
    if since > now or plan.refill_per_ms == 0 then is_plain = false end
    local at = REPLY_HEAD + REPLY_STATE * (b - 1)
    reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
    if steps then plan_of[b], used_of[b], since_of[b], unsettled_of[b] = plan, used, since, unsettled end
  end
  if fresh and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end
  if is_plain and not steps then
    for b = 1, budgets do
      local plan, at = plans[owners and owners[b] or 1], REPLY_HEAD + REPLY_STATE * (b - 1)
      local used, since = reply[at + 1], now - reply[at + 2]
      local unsettled, refill_per_ms, ticks = used - reply[at + 3], plan.refill_per_ms, plan.ticks_per_unit
      local elapsed = now - since
      if elapsed > 0 then
        used, since = used - elapsed * refill_per_ms, now
        if used < 0 then used = 0 end
        if unsettled > used then unsettled = used end
      end
      used, unsettled = used + ticks, unsettled + ticks
      if used <= plan.capacity_ticks then
        charged = charged + 1
        local expiry = format("%d", ceil(used / refill_per_ms) + linger)
        call("PSETEX", KEYS[b], expiry, pack(STATE, plan.definition, used, since, unsettled))
      end
    end
  elseif is_plain then
    local at, last = 1, #steps
    while at <= last do
      local first, final, fits = at, at, true
      if steps[at] == TAKE_UNITS then
        local asks = steps[at + 1]
        first, final = at + 2, at + 1 + asks
      end
      for place = first, final do
        local b = steps[place]
        local plan, used, since, unsettled = plan_of[b], used_of[b], since_of[b], unsettled_of[b]
        local refill_per_ms = plan.refill_per_ms
        local elapsed = now - since
        if elapsed > 0 then
          used, since = used - elapsed * refill_per_ms, now
          if used < 0 then used = 0 end
          if unsettled > used then unsettled = used end
        end
        used_of[b], since_of[b], unsettled_of[b] = used, since, unsettled
        fits = fits and used + plan.ticks_per_unit <= plan.capacity_ticks
      end
      for place = first, fits and final or 0 do
        local b = steps[place]
        local ticks = plan_of[b].ticks_per_unit
        used_of[b], unsettled_of[b], changed[b] = used_of[b] + ticks, unsettled_of[b] + ticks, true
        charged = charged + 1
      end
      at = final + 1
    end
    for b = 1, budgets do
      if changed[b] then
        local plan, used, since, unsettled = plan_of[b], used_of[b], since_of[b], unsettled_of[b]
        local refill_per_ms = plan.refill_per_ms
        local expiry = format("%d", ceil(used / refill_per_ms) + linger)
        call("PSETEX", KEYS[b], expiry, pack(STATE, plan.definition, used, since, unsettled))
      end
    end
  end
  if is_plain then
    reply[REPLY_CHARGED], reply[#reply + 1] = charged, 0
    return reply
  end
end
local plan_of, used, since, unsettled = {}, {}, {}, {}
local previous, blocked, list_of, others_of, until_of = {}, {}, {}, {}, {}
local foreign, changed, had_list = {}, {}, {}
local share, begin_if_empty, encode_others
local function reject(b)
  foreign[b], used[b], since[b], unsettled[b] = true, -1, now, 0
end
local function decode(b, length)
  local more = #values[b] - length - NUMBERS_BYTES
  if more ~= 0 and more < MORE_BYTES then return nil end
  used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, values[b], length + 1)
  if more > 0 then previous[b], blocked[b] = unpack_bytes(MORE, values[b], length + NUMBERS_BYTES + 1) end
  return more
end
local function list_key(b)
  return (string.gsub(KEYS[b], ":{", "+{", 1))
end
local fresh, odd, needed = {}, nil, {}
for _, plan in ipairs(plans) do needed[plan.kind] = true end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh[#fresh + 1] = b
  else
    local more = find(value, plan.definition, 1, true) == 1 and decode(b, #plan.definition)
    if not more or more > MORE_BYTES or since[b] > now then
      odd = odd or {}
      odd[#odd + 1] = b
    end
  end
end
local FIELDS, width_of
if steps then
  FIELDS = { [-1] = 1, [-2] = 3, [-3] = 1, [-4] = 2, [-5] = 1, [-6] = 3, [-7] = 3, [-8] = 1 }
  function width_of(at)
    local step, asks = steps[at], steps[at + 1]
    if step > 0 then return 1 end
    return 1 + FIELDS[step] + (step == TAKE and ASK * asks or step == TAKE_UNITS and asks or 0)
  end
end
local kinds = {}
local function windows_ended(b, plan)
  local elapsed = now - since[b]
  return elapsed < plan.period and 0 or floor(elapsed / plan.period)
end
local function add(b, kind, change)
  used[b] = used[b] + change
  if kind.record and change ~= 0 then kind.record(b, change) end
end
local function charge(b, plan, count)
  local kind, taken = plan.algorithm, count * plan.counts_per_unit
  kind.advance(b, plan)
  add(b, kind, taken)
  unsettled[b] = unsettled[b] + taken
end
local function settle(b, plan, reserved, really_used)
  local kind, excess = plan.algorithm, really_used - reserved
  kind.advance(b, plan)
  local most = (kind.most_counts and kind.most_counts(plan) or EXACT) - used[b] - (previous[b] or 0)
  local least = kind.queues and 0 or -unsettled[b]
  add(b, kind, max(least, min(excess * plan.counts_per_unit, max(0, most))))
  unsettled[b] = min(max(0, unsettled[b] - reserved * plan.counts_per_unit), used[b])
  if excess > 0 and others_of[b] then share(b, plan, excess, NO_LEASE) end
end
local function begin(b, plan, ticks, open, at)
  local kind, ticks_per_count = plan.algorithm, plan.ticks_per_unit / plan.counts_per_unit
  if kind.open then kind.open(b, {}) end
  used[b], since[b], previous[b] = 0, kind.is_aligned and at - (at - extras[b]) % plan.period or at, nil
  add(b, kind, ceil(ticks / ticks_per_count))
  unsettled[b] = floor(open / ticks_per_count)
end
local function keep(b, plan, from)
  local kind = plan.algorithm
  if not kind.has_history or plan.period ~= from.period then return false end
  local function start_of(definition) return string.match(definition, "[^,]+$") end
  return start_of(plan.definition) == start_of(from.definition) and kind.used(b, plan) <= plan.capacity_ticks
end
local function rate(kind)
  kind.charge, kind.settle, kind.begin, kind.keep = charge, settle, begin, keep
  return kind
end
local function bind(plan)
  plan.algorithm = kinds[plan.kind]
  plan.counts_per_unit = plan.algorithm.counts_units and 1 or plan.ticks_per_unit
end
if odd or needed[TOKEN_BUCKET] then
  local bucket = { is_reservable = true }
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end
  function bucket.define(plan)
    local shared = greatest_divisor(plan.rate, plan.period)
    plan.ticks_per_unit, plan.refill_per_ms = plan.period / shared, plan.rate / shared
  end
  function bucket.used(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function bucket.advance(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], unsettled[b], plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
  end
  function bucket.reset_after(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used == 0 and 0 or since - now + ceil(used / refill_per_ms)
  end
  kinds[TOKEN_BUCKET] = rate(bucket)
end
if odd or needed[FIXED_WINDOW] then
  local window = { is_aligned = true, is_reservable = true }
  local function present(b, plan)
    local ended = windows_ended(b, plan)
    if ended == 0 then return used[b], since[b], unsettled[b] end
    local left = max(0, used[b] - ended * plan.rate)
    return left, since[b] + ended * plan.period, min(unsettled[b], left)
  end
  function window.used(b, plan)
    return (present(b, plan))
  end
  function window.advance(b, plan)
    used[b], since[b], unsettled[b] = present(b, plan)
  end
  function window.reset_after(b, plan)
    local left, start = present(b, plan)
    return left == 0 and 0 or start + ceil(left / plan.rate) * plan.period - now
  end
  function window.most_counts(plan)
    return plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
  end
  kinds[FIXED_WINDOW] = rate(window)
end
if odd or needed[SLIDING_WINDOW] then
  local window = { is_aligned = true, has_history = true, counts_units = true }
  function window.define(plan)
    plan.ticks_per_unit = plan.period
  end
  local function present(b, plan)
    local ended = windows_ended(b, plan)
    if ended == 0 then return used[b], since[b], unsettled[b], previous[b] or 0 end
    return 0, since[b] + ended * plan.period, 0, ended == 1 and used[b] or 0
  end
  function window.used(b, plan)
    local units, start, _, before = present(b, plan)
    return units * plan.period + before * (plan.period - max(0, now - start))
  end
  function window.advance(b, plan)
    used[b], since[b], unsettled[b], previous[b] = present(b, plan)
  end
  function window.reset_after(b, plan)
    local units, start, _, before = present(b, plan)
    if units > 0 then return start + 2 * plan.period - now end
    return before > 0 and start + plan.period - now or 0
  end
  function window.most_counts(plan)
    return floor(EXACT / plan.period)
  end
  kinds[SLIDING_WINDOW] = rate(window)
end
if odd or needed[SLIDING_LOG] then
  local ENTRY, ENTRY_BYTES = "<dd", 16
  local function elements(b, ...)
    local texts = redis.pcall(...)
    if not texts.err then return texts end
    if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
    reject(b)
    return {}
  end
  local function decode_entry(b, text)
    if #text == ENTRY_BYTES then return unpack_bytes(ENTRY, text) end
    reject(b)
  end
  local function check_orphan(b)
    local key, texts = list_key(b), {}
    local type = call("TYPE", key).ok
    if type == "none" then return end
    if type == "list" then texts = call("LRANGE", key, 0, 0) end
    if type == "zset" then texts = call("ZRANGE", key, 0, 0) end
    if not texts[1] or #texts[1] ~= ENTRY_BYTES then reject(b) end
  end
  local function call_with_all(command, key, arguments)
    for first = 1, #arguments, MOST_ARGUMENTS do
      call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
    end
  end
  local function present(b)
    return max(since[b], now)
  end
  local function count_until(b, instant)
    local units, entries = 0, 0
    for _, entry in ipairs(list_of[b].entries) do
      if entry.instant > instant then break end
      units, entries = units + entry.units, entries + 1
    end
    return units, entries
  end
  local function drop_until(b, instant)
    local list, units, entries = list_of[b], count_until(b, instant)
    if entries == 0 then return 0 end
    local kept = {}
    for index = entries + 1, #list.entries do kept[#kept + 1] = list.entries[index] end
    used[b], list.entries = used[b] - units, kept
    return entries
  end
  local CHUNK = 16
  local log = { has_history = true, check_orphan = check_orphan }
  local function encode(entry)
    return pack(ENTRY, entry.instant, entry.units)
  end
  function log.open(b, entries)
    list_of[b] = { entries = entries, dropped = 0, pushed = {}, rewrite = true }
    return list_of[b]
  end
  function log.load(b, plan, need)
    local key, over, units, chunk = list_key(b), present(b) - plan.period, 0, CHUNK
    local list = log.open(b, {})
    local entries = list.entries
    local function read(first, last)
      local texts = elements(b, "LRANGE", key, first, last)
      for _, text in ipairs(texts) do
        local instant, count = decode_entry(b, text)
        if foreign[b] then return 0 end
        entries[#entries + 1], units = { instant = instant, units = count }, units + count
      end
      return #texts
    end
    list.rewrite = false
    while need >= 0 and read(#entries, #entries + chunk - 1) == chunk do
      if entries[#entries].instant > over and units >= used[b] + need - plan.capacity_ticks then return read(-1, -1) end
      chunk = chunk * 2
    end
    if need < 0 then read(0, -1) end
    if units < used[b] and not foreign[b] then
      entries[#entries + 1], list.rewrite = { instant = since[b], units = used[b] - units }, true
    end
  end
  function log.save(b, key, expiry)
    local list, texts = list_of[b], {}
    if list.rewrite then
      call("DEL", key)
    else
      if list.dropped > 0 then call("LTRIM", key, list.dropped, -1) end
      if list.joined then call("LSET", key, -1, encode(list.joined)) end
    end
    for index, entry in ipairs(list.rewrite and list.entries or list.pushed) do texts[index] = encode(entry) end
    call_with_all("RPUSH", key, texts)
    call("PEXPIRE", key, expiry)
  end
  function log.used(b, plan)
    return used[b] - count_until(b, present(b) - plan.period)
  end
  function log.advance(b, plan)
    local dropped = drop_until(b, present(b) - plan.period)
    list_of[b].dropped = list_of[b].dropped + dropped
    unsettled[b] = min(unsettled[b], used[b])
  end
  function log.reset_after(b, plan)
    local entries = list_of[b].entries
    local newest = entries[#entries]
    return newest and max(0, newest.instant + plan.period - now) or 0
  end
  local function push(b, units)
    local list, instant = list_of[b], present(b)
    local newest = list.entries[#list.entries]
    if newest and newest.instant == instant then
      newest.units = newest.units + units
      if #list.pushed == 0 then list.joined = newest end
    else
      newest = { instant = instant, units = units }
      list.entries[#list.entries + 1], list.pushed[#list.pushed + 1] = newest, newest
    end
    since[b] = instant
  end
  local function take_back(b, units)
    local entries = list_of[b].entries
    while units > 0 and #entries > 0 do
      local newest = entries[#entries]
      local back = min(units, newest.units)
      newest.units, units = newest.units - back, units - back
      if newest.units == 0 then entries[#entries] = nil end
    end
    list_of[b].rewrite = true
  end
  function log.record(b, change)
    if change > 0 then push(b, change) else take_back(b, -change) end
  end
  kinds[SLIDING_LOG] = rate(log)
end
if odd or needed[LEAKY_BUCKET] then
  local bucket = { is_reservable = true }
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end
  function bucket.define(plan)
    local shared = greatest_divisor(plan.rate, plan.period)
    plan.ticks_per_unit, plan.refill_per_ms = plan.period / shared, plan.rate / shared
  end
  function bucket.used(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function bucket.advance(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], unsettled[b], plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
  end
  function bucket.reset_after(b, plan)
    local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used == 0 and 0 or since - now + ceil(used / refill_per_ms)
  end
  bucket.queues = true
  kinds[LEAKY_BUCKET] = rate(bucket)
end
if odd or needed[CONCURRENCY] then
  local ENTRY, ENTRY_BYTES = "<dd", 16
  local function elements(b, ...)
    local texts = redis.pcall(...)
    if not texts.err then return texts end
    if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
    reject(b)
    return {}
  end
  local function decode_entry(b, text)
    if #text == ENTRY_BYTES then return unpack_bytes(ENTRY, text) end
    reject(b)
  end
  local function check_orphan(b)
    local key, texts = list_key(b), {}
    local type = call("TYPE", key).ok
    if type == "none" then return end
    if type == "list" then texts = call("LRANGE", key, 0, 0) end
    if type == "zset" then texts = call("ZRANGE", key, 0, 0) end
    if not texts[1] or #texts[1] ~= ENTRY_BYTES then reject(b) end
  end
  local function call_with_all(command, key, arguments)
    for first = 1, #arguments, MOST_ARGUMENTS do
      call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
    end
  end
  local function present(b)
    return max(since[b], now)
  end
  local function count_until(b, instant)
    local units, entries = 0, 0
    for _, entry in ipairs(list_of[b].entries) do
      if entry.instant > instant then break end
      units, entries = units + entry.units, entries + 1
    end
    return units, entries
  end
  local function drop_until(b, instant)
    local list, units, entries = list_of[b], count_until(b, instant)
    if entries == 0 then return 0 end
    local kept = {}
    for index = entries + 1, #list.entries do kept[#kept + 1] = list.entries[index] end
    used[b], list.entries = used[b] - units, kept
    return entries
  end
  local CHUNK = 128
  local leases = { holds_leases = true, check_orphan = check_orphan }
  local function member_of(id, units)
    return pack(ENTRY, id, units)
  end
  function leases.open(b, entries)
    local by_id = {}
    for _, entry in ipairs(entries) do
      if entry.units > 0 then by_id[entry.id] = entry end
    end
    list_of[b] = { entries = entries, by_id = by_id, scores = {}, rewrite = true }
    return list_of[b]
  end
  local function remove(b, id)
    local list = list_of[b]
    local entry = list.by_id[id]
    if not entry then return 0 end
    local units = entry.units
    entry.units, list.by_id[id], list.scores[member_of(id, units)] = 0, nil, false
    return units
  end
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
  local function load_named(b, key)
    if not named then find_named() end
    local found = {}
    for index, score in ipairs(named[b] and call("ZMSCORE", key, unpack(named[b])) or {}) do
      if score then found[#found + 1] = { instant = tonumber(score), member = named[b][index] } end
    end
    table.sort(found, function(one, other) return one.instant < other.instant end)
    for _, one in ipairs(found) do
      local id, units = decode_entry(b, one.member)
      if not list_of[b].by_id[id] then add(b, id, units, one.instant) end
    end
  end
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
  leases.settle = leases.advance
  function leases.reset_after(b, plan)
    return leases.used(b) == 0 and 0 or since[b] + plan.period - now
  end
  function leases.begin(b, plan, ticks, _, at)
    leases.open(b, {})
    used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
    if ticks > 0 then leases.charge(b, plan, ticks, NO_LEASE) end
  end
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
  local function each_other(b, visit)
    for _, other in ipairs(others_of[b] or {}) do
      if plan_of[other].algorithm == leases then visit(other, plan_of[other]) end
    end
  end
  function leases.release(b, _, id, count)
    each_other(b, function(other) release_own(other, id, count) end)
    release_own(b, id, count)
  end
  function leases.renew(b, plan, id, count)
    if not renew_own(b, plan, id, count) then return end
    each_other(b, function(other, its_plan)
      if not renew_own(other, its_plan, id, count) then leases.charge(other, its_plan, count, id) end
    end)
  end
  kinds[CONCURRENCY] = leases
end
for _, plan in ipairs(plans) do bind(plan) end
for first = 1, #fresh, MOST_ARGUMENTS do
  local last, keys = min(first + MOST_ARGUMENTS - 1, #fresh), {}
  for index = first, last do keys[#keys + 1] = KEYS[fresh[index]] end
  if call("EXISTS", unpack(keys)) > 0 then
    for index = first, last do
      if call("EXISTS", KEYS[fresh[index]]) == 1 then reject(fresh[index]) end
    end
  end
end
for _, b in ipairs(fresh) do
  local plan = plan_of[b]
  if not foreign[b] and plan.algorithm.check_orphan then plan.algorithm.check_orphan(b) end
  if not foreign[b] then plan.algorithm.begin(b, plan, 0, 0, now) end
end
if odd then
  local MOST_OTHERS = 3
  local function plan_of_definition(definition)
    local words = {}
    for word in string.gmatch(definition or "", "[^,\\n]+") do words[#words + 1] = tonumber(word, 36) or false end
    local kind, rate, period, capacity, debt = unpack(words)
    local algorithm = kinds[kind]
    if not (algorithm and rate and period and capacity) then return nil end
    local plan = plan_from(definition, kind, rate, period, 1, 0, 0, 0)
    if algorithm.define then algorithm.define(plan) end
    plan.capacity_ticks = capacity * plan.ticks_per_unit
    if algorithm.is_reservable and rate > 0 then
      local most = EXACT - plan.capacity_ticks
      plan.debt_ticks = debt and min(debt * plan.ticks_per_unit, most) or most
    end
    bind(plan)
    return plan
  end
  local last_place = budgets
  local function new_place()
    last_place = last_place + 1
    return last_place
  end
  local function decode_others(b, text)
    others_of[b] = {}
    for index, state in ipairs(cmsgpack.unpack(text)) do
      local other, definition, entries = new_place(), nil, nil
      definition, used[other], since[other], unsettled[other], previous[other], until_of[other], entries = unpack(state)
      local plan = assert(plan_of_definition(definition))
      plan_of[other], others_of[b][index] = plan, other
      if plan.algorithm.open then plan.algorithm.open(other, entries) end
    end
  end
  function encode_others(b)
    local all, latest = {}, now
    for index, other in ipairs(others_of[b]) do
      local entries = {}
      latest = max(latest, until_of[other])
      for _, entry in ipairs(list_of[other] and list_of[other].entries or {}) do
        if entry.units > 0 then entries[#entries + 1] = entry end
      end
      all[index] = {
        plan_of[other].definition, used[other], since[other], unsettled[other], previous[other] or 0, until_of[other],
        entries,
      }
    end
    return cmsgpack.pack(all), latest - now
  end
  local function decode_odd(b)
    local from = plan_of_definition(string.match(values[b], "^[^\\n]*\\n"))
    local more = from and decode(b, #from.definition)
    local is_ours = more and (more <= MORE_BYTES or pcall(decode_others, b, string.sub(values[b], MORE_BYTES - more)))
    return is_ours and from or nil
  end
  local function convert(ticks, from, plan)
    if from.ticks_per_unit == plan.ticks_per_unit then return ticks end
    local units = floor(ticks / from.ticks_per_unit)
    local rest = (ticks - units * from.ticks_per_unit) / from.ticks_per_unit
    return units * plan.ticks_per_unit + min(plan.ticks_per_unit, ceil(rest * plan.ticks_per_unit))
  end
  local function most_kept(ticks, from, plan)
    return plan.capacity_ticks + min(convert(max(0, ticks - from.capacity_ticks), from, plan), plan.debt_ticks)
  end
  local function migrate(b, plan, from)
    local old, new = from.algorithm, plan.algorithm
    if old == new and new.keep(b, plan, from) then return end
    old.advance(b, from)
    local ticks = old.used(b, from)
    local kept = min(convert(ticks, from, plan), most_kept(ticks, from, plan))
    local open = min(kept, convert(unsettled[b] * from.ticks_per_unit / from.counts_per_unit, from, plan))
    list_of[b] = nil
    new.begin(b, plan, kept, open, max(now, since[b]))
  end
  local function memory(plan)
    if plan.rate == 0 then return 2 * plan.period end
    return plan.period * max(2, ceil(plan.capacity_ticks / plan.ticks_per_unit / plan.rate))
  end
  local function copy_numbers(one, other)
    used[other], since[other], unsettled[other], previous[other] = used[one], since[one], unsettled[one], previous[one]
  end
  local function copy_beside(b, from, plan)
    local other, entries = new_place(), {}
    plan_of[other] = from
    copy_numbers(b, other)
    for index, entry in ipairs(list_of[b] and list_of[b].entries or {}) do
      entries[index] = { instant = entry.instant, units = entry.units, id = entry.id }
    end
    if from.algorithm.open then from.algorithm.open(other, entries) end
    until_of[other] = min(now + max(from.algorithm.reset_after(other, from), memory(from), memory(plan)), EXACT)
    return other
  end
  local function rewind_if_far_ahead(b, plan)
    if since[b] - now < plan.period then return 0 end
    local step = plan.algorithm.is_aligned and plan.period or 1
    local ms = floor((since[b] - now) / step) * step
    since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
    local list = list_of[b]
    for _, entry in ipairs(list and list.entries or {}) do entry.instant = entry.instant - ms end
    if list then list.rewrite = true end
    return ms
  end
  local function current(others)
    local kept = {}
    for _, other in ipairs(others or {}) do
      until_of[other] = until_of[other] - rewind_if_far_ahead(other, plan_of[other])
      if until_of[other] > now then kept[#kept + 1] = other end
    end
    return kept
  end
  local function fitting(others)
    if #others > MOST_OTHERS then
      local least = 1
      for index, other in ipairs(others) do
        if until_of[other] < until_of[others[least]] then least = index end
      end
      table.remove(others, least)
    end
    return #others > 0 and others or nil
  end
  local function take_over(b, plan, from, others)
    if from.algorithm.reset_after(b, from) > 0 then
      others[#others + 1] = current({ copy_beside(b, from, plan) })[1]
    end
    others_of[b] = fitting(others)
    migrate(b, plan, from)
  end
  local function switch(b, plan, from, others, known)
    rewind_if_far_ahead(b, from)
    local other = table.remove(others, known)
    others[#others + 1] = copy_beside(b, from, plan)
    others_of[b] = others
    copy_numbers(other, b)
    list_of[b] = list_of[other]
  end
  local function change_definition(b, plan, from)
    local others = current(others_of[b])
    for index, other in ipairs(others) do
      if plan_of[other].definition == plan.definition then return switch(b, plan, from, others, index) end
    end
    take_over(b, plan, from, others)
  end
  function begin_if_empty(b, plan)
    local is_empty = since[b] > now and used[b] == 0 and (previous[b] or 0) == 0 and (blocked[b] or 0) <= now
    if is_empty then plan.algorithm.begin(b, plan, 0, 0, now) end
  end
  local function reconcile(b, plan)
    local from = decode_odd(b)
    if not from then return reject(b) end
    local is_same = from.definition == plan.definition
    if is_same and since[b] <= now then return end
    if from.algorithm.load then
      had_list[b] = true
      from.algorithm.load(b, from, -1)
      if foreign[b] then return end
    end
    if not is_same then change_definition(b, plan, from) end
    rewind_if_far_ahead(b, plan)
    begin_if_empty(b, plan)
    changed[b] = true
  end
  function share(b, plan, count, lease)
    local others = current(others_of[b])
    others_of[b] = #others > 0 and others or nil
    local ticks = plan.algorithm.used(b, plan)
    for _, other in ipairs(others) do
      local to, units = plan_of[other], count
      if lease == NO_LEASE or not to.algorithm.holds_leases then
        local room = most_kept(ticks, plan, to) - to.algorithm.used(other, to)
        units = min(count, floor(room / to.ticks_per_unit))
      end
      if units > 0 then to.algorithm.charge(other, to, units, lease ~= NO_LEASE and lease or now) end
    end
  end
  for _, b in ipairs(odd) do reconcile(b, plan_of[b]) end
end
for b = 1, extras and budgets or 0 do
  local plan = plan_of[b]
  if plan.algorithm.load and not list_of[b] and not foreign[b] then plan.algorithm.load(b, plan, extras[b]) end
end
local reply = { now, 0 }
for b = 1, budgets do
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2], reply[at + 3] = used[b], now - since[b], used[b] - unsettled[b]
end
local at_more = #reply + 1
reply[at_more] = 0
if next(previous) or next(blocked) then
  for b = 1, budgets do
    if previous[b] or blocked[b] then
      local at = #reply
      reply[at_more] = reply[at_more] + 1
      reply[at + 1], reply[at + 2], reply[at + 3] = b, previous[b] or 0, blocked[b] or 0
    end
  end
end
for b = 1, next(list_of) and budgets or 0 do
  if list_of[b] and not foreign[b] then
    reply[#reply + 1] = #list_of[b].entries
    for _, entry in ipairs(list_of[b].entries) do
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = entry.instant, entry.units, entry.id
    end
  end
end
local charged = 0
local function fits(b, plan, ticks, most)
  if odd then begin_if_empty(b, plan) end
  if foreign[b] or blocked[b] and blocked[b] > now then return false end
  return plan.algorithm.used(b, plan) + ticks <= most
end
local function take(b, plan, count, lease)
  plan.algorithm.charge(b, plan, count, lease)
  if others_of[b] then share(b, plan, count, lease) end
  changed[b] = true
end
local function take_one(b)
  local plan = plan_of[b]
  if not fits(b, plan, plan.ticks_per_unit, plan.capacity_ticks) then return end
  take(b, plan, 1, NO_LEASE)
  charged = charged + 1
end
if not steps then
  for b = 1, budgets do take_one(b) end
else
  local function ask_at(at, width)
    if width == 1 then return steps[at], 1, 0, 0, NO_LEASE end
    return unpack(steps, at, at + width - 1)
  end
  local function take_all(first, last, width)
    for at = first, last, width do
      local b, count, reserve, headroom = ask_at(at, width)
      local plan = plan_of[b]
      local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
      if not fits(b, plan, max(1, count) * plan.ticks_per_unit + headroom, most) then return end
    end
    for at = first, last, width do
      local b, count, _, _, lease = ask_at(at, width)
      if count > 0 then take(b, plan_of[b], count, lease) end
      charged = charged + 1
    end
  end
  local function block(b, plan, kind, ms)
    kind.advance(b, plan)
    local stays = kind.is_aligned or kind.holds_leases and used[b] > 0
    if not stays then since[b] = max(since[b], now) end
    blocked[b] = max(since[b], now) + ms
  end
  local function reset(b, plan, kind)
    if blocked[b] and blocked[b] <= now then blocked[b] = nil end
    others_of[b] = nil
    kind.begin(b, plan, 0, 0, now)
  end
  local function change(step, b, first, second)
    local plan = plan_of[b]
    local kind = plan.algorithm
    if foreign[b] then return end
    if odd then begin_if_empty(b, plan) end
    if step == SETTLE then kind.settle(b, plan, first, second)
    elseif step == RESET then reset(b, plan, kind)
    elseif step == BLOCK then block(b, plan, kind, first)
    elseif step == UNBLOCK then blocked[b] = nil
    elseif step == RELEASE and kind.holds_leases then kind.release(b, plan, first, second)
    elseif step == RENEW and kind.holds_leases then kind.renew(b, plan, first, second)
    end
    if odd then begin_if_empty(b, plan) end
    changed[b] = true
  end
  local at, last = 1, #steps
  while at <= last do
    local step, width = steps[at], width_of(at)
    if step > 0 then take_one(step)
    elseif step == TAKE then take_all(at + 1 + FIELDS[TAKE], at + width - 1, ASK)
    elseif step == TAKE_UNITS then take_all(at + 1 + FIELDS[TAKE_UNITS], at + width - 1, 1)
    else change(step, steps[at + 1], steps[at + 2], steps[at + 3])
    end
    at = at + width
  end
end
local function save(b)
  local plan, key = plan_of[b], KEYS[b]
  local kind, definition = plan.algorithm, plan.definition
  local ttl = kind.reset_after(b, plan)
  local before, block, others, ttl_of_others = previous[b] or 0, blocked[b] or 0, "", 0
  if others_of[b] then others, ttl_of_others = encode_others(b) end
  ttl = max(ttl, block - now, ttl_of_others)
  local is_kept = ttl > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)
  if is_kept then
    local expiry = format("%d", (ttl < EXACT and ttl or EXACT) + linger)
    local value = pack(STATE, definition, used[b], since[b], unsettled[b])
    if before ~= 0 or block ~= 0 or others ~= "" then value = value .. pack(MORE, before, block) .. others end
    call("PSETEX", key, expiry, value)
    if kind.save then kind.save(b, list_key(b), expiry) end
  else
    call("DEL", key)
  end
  if (kind.save or had_list[b]) and not (kind.save and is_kept) then call("DEL", list_key(b)) end
end
for b = 1, budgets do
  if changed[b] and not foreign[b] then save(b) end
end
reply[REPLY_CHARGED] = charged
return reply
`,
} as const;
