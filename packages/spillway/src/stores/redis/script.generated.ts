/** The Lua files beside this one, as `npm run embed` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "f563037a7f8163a048ff401a8cbf82df7db9e620",
  source: `local pack, unpack_bytes, format = struct.pack, struct.unpack, string.format
local call, min, max, floor, ceil = redis.call, math.min, math.max, math.floor, math.ceil
local EXACT = 4503599627370496
local AT_ONCE = 4000
local TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, LEAKY_BUCKET, CONCURRENCY, TAKE, SETTLE, RESET, BLOCK, UNBLOCK, RELEASE, RENEW, ASK = 1, 3, 4, 5, 2, 6, -1, -2, -3, -4, -5, -6, -7, 5
local FIELDS = { [-1] = 1, [-2] = 3, [-3] = 1, [-4] = 2, [-5] = 1, [-6] = 3, [-7] = 3 }
local now, budgets, linger = tonumber(ARGV[1]), tonumber(ARGV[2]), 3600000
if not now then
  local time = call("TIME")
  now, linger = time[1] * 1000 + floor(time[2] / 1000), 0
end
local straight = #KEYS <= AT_ONCE and ARGV[3] == "" and ARGV[5] == "" and string.find(ARGV[6], "^[12],") == 1
if straight then
  local definition, values, fresh = ARGV[6] .. "\\n", call("MGET", unpack(KEYS)), nil
  local scale, gain, full = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
  local length, reply, at = #definition, { now, 0 }, 3
  for b = 1, budgets do
    local value, used, since, unsettled = values[b], 0, now, 0
    if not value then
      fresh = fresh or {}
      fresh[#fresh + 1] = KEYS[b]
    elseif #value == length + 21 and string.sub(value, 1, length) == definition then
      used, since, unsettled = unpack_bytes("<I7i7I7", value, length + 1)
    else
      straight = false
      break
    end
    straight = straight and since <= now
    reply[at], reply[at + 1], reply[at + 2] = used, now - since, used - unsettled
    at = at + 3
  end
  if straight and not (fresh and call("EXISTS", unpack(fresh)) > 0) then
    local charged = 0
    for b = 1, budgets do
      local used = reply[3 * b]
      local spent = used - reply[3 * b + 1] * gain
      if spent < 0 then spent = 0 end
      if spent + scale <= full then
        local unsettled = used - reply[3 * b + 2]
        if unsettled > spent then unsettled = spent end
        charged, spent = charged + 1, spent + scale
        call("PSETEX", KEYS[b], format("%d", ceil(spent / gain) + linger),
          definition .. pack("<I7i7I7", spent, now, unsettled + scale))
      end
    end
    reply[2], reply[at] = charged, 0
    return reply
  end
end
local plan_of, used, since, unsettled = {}, {}, {}, {}
local owners, extras = ARGV[3] ~= "" and cjson.decode(ARGV[3]), ARGV[4] ~= "" and cjson.decode(ARGV[4])
local steps = ARGV[5] ~= "" and cjson.decode(ARGV[5])
local previous, blocked, log_of, leases_of = {}, {}, {}, {}
local foreign, changed = {}, {}
local kind_before = {}
local others_of, definition_of, until_of, entries_of, new_place = {}, nil, nil, nil, nil
local sent, needed = {}, {}
for at = 6, #ARGV, 7 do
  local definition = ARGV[at] .. "\\n"
  local kind = string.byte(definition) - 48
  needed[kind] = true
  sent[#sent + 1] = {
    definition = definition, length = #definition, kind = kind,
    scale = tonumber(ARGV[at + 1]), gain = tonumber(ARGV[at + 2]), full = tonumber(ARGV[at + 3]),
    spare = tonumber(ARGV[at + 4]), rate = tonumber(ARGV[at + 5]), period = tonumber(ARGV[at + 6]),
  }
end
local NUMBERS, MORE, OTHER = "<I7i7I7", "<I7i7", "<I7i7I7I7i7"
local values, fresh, odd = {}, nil, nil
for first = 1, budgets, AT_ONCE do
  local last = min(first + AT_ONCE - 1, budgets)
  local part = call("MGET", unpack(KEYS, first, last))
  if first == 1 then
    values = part
  else
    for index = first, last do values[index] = part[index - first + 1] end
  end
end
for b = 1, budgets do
  local plan, value = sent[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh = fresh or {}
    fresh[#fresh + 1] = b
  elseif #value == plan.length + 21 and string.find(value, plan.definition, 1, true) == 1 then
    used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, value, plan.length + 1)
    if since[b] > now then
      odd = odd or {}
      odd[b] = plan.definition
    end
  else
    odd = odd or {}
    odd[b] = string.match(value, "^[1-6][^\\n]*\\n") or ""
  end
end
if fresh then
  local keys = {}
  for index, b in ipairs(fresh) do keys[index] = KEYS[b] end
  for first = 1, #keys, AT_ONCE do
    local last = min(first + AT_ONCE - 1, #keys)
    if call("EXISTS", unpack(keys, first, last)) > 0 then
      for index = first, last do foreign[fresh[index]] = call("EXISTS", keys[index]) == 1 end
    end
  end
end
if odd then
  local last_place = budgets
  definition_of, until_of, entries_of = {}, {}, {}
  function new_place()
    last_place = last_place + 1
    return last_place
  end
  local function read_entries(value, at, width)
    if #value < at + 3 then return nil end
    local count, entries = unpack_bytes("<I4", value, at), {}
    at = at + 4
    if #value < at + 8 * width * count - 1 then return nil end
    for index = 1, count do
      entries[index] = { unpack_bytes("<" .. string.rep("d", width), value, at) }
      at = at + 8 * width
    end
    return entries, at
  end
  local function read_others(b, value, at)
    local places = {}
    while at <= #value do
      local definition = string.match(value, "^[1-6][^\\n]*\\n", at)
      at = at + #(definition or "")
      if not definition or #value < at + 34 then return false end
      local o, kind = new_place(), string.byte(definition) - 48
      places[#places + 1], definition_of[o], needed[kind] = o, definition, true
      used[o], since[o], unsettled[o], previous[o], until_of[o] = unpack_bytes(OTHER, value, at)
      at = at + 35
      if kind == SLIDING_LOG or kind == CONCURRENCY then
        entries_of[o], at = read_entries(value, at, kind == SLIDING_LOG and 2 or 3)
        if not at then return false end
      end
    end
    others_of[b] = places
    return true
  end
  for b, definition in pairs(odd) do
    local value, length = values[b], #definition
    local more = #value - length - 21
    local is_ours = length > 0 and (more == 0 or more >= 14)
    if is_ours and more > 14 then is_ours = read_others(b, value, length + 36) end
    if is_ours then
      needed[string.byte(definition) - 48] = true
      used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, value, length + 1)
      if more > 0 then previous[b], blocked[b] = unpack_bytes(MORE, value, length + 22) end
      if previous[b] == 0 then previous[b] = nil end
    else
      used[b], since[b], unsettled[b], foreign[b], odd[b] = 0, 0, 0, true, nil
    end
  end
end
local more_than_one = fresh or odd or steps
local kinds, settled, window_start, windows_gone = {}, nil, nil, nil
local elements_of, numbers_of, check_orphan, share, release_others, renew_others
if more_than_one then
  function settled(spent, open, reserved, really_used, scale)
    local change = (really_used - reserved) * scale
    local next
    if change < 0 then
      next = spent - min(-change, open)
    else
      next = min(EXACT, spent + change)
    end
    return next, min(max(0, open - reserved * scale), next)
  end
end
if needed[FIXED_WINDOW] or needed[SLIDING_WINDOW] then
  function window_start(plan, anchor, at)
    return at - (at - anchor) % plan.period
  end
  function windows_gone(b, plan)
    local elapsed = now - since[b]
    return elapsed < plan.period and 0 or floor(elapsed / plan.period)
  end
end
if needed[TOKEN_BUCKET] or needed[LEAKY_BUCKET] then
  local bucket = {}
  function bucket.spent(b, plan)
    local left = used[b]
    local elapsed = now - since[b]
    if elapsed > 0 then left = left - elapsed * plan.gain end
    return left > 0 and left or 0
  end
  function bucket.charge(b, plan, count, spent)
    local taken, open = count * plan.scale, unsettled[b]
    used[b], unsettled[b] = spent + taken, (open < spent and open or spent) + taken
    if now > since[b] then since[b] = now end
  end
  function bucket.reset_after(b, plan)
    local spent = bucket.spent(b, plan)
    if spent == 0 then return 0 end
    local ahead, drip = since[b] - now, ceil(spent / plan.gain)
    return ahead > 0 and ahead + drip or drip
  end
  if more_than_one then
    function bucket.unsettled(b, plan)
      return min(unsettled[b], bucket.spent(b, plan))
    end
    function bucket.settle(b, plan, reserved, really_used)
      local spent, open = bucket.spent(b, plan), bucket.unsettled(b, plan)
      used[b], unsettled[b] = settled(spent, open, reserved, really_used, plan.scale)
      if now > since[b] then since[b] = now end
    end
    function bucket.begin(b, _, spent, open, at)
      used[b], since[b], previous[b], unsettled[b] = spent, at, nil, open
    end
    function bucket.inherit() return false end
  end
  kinds[TOKEN_BUCKET] = bucket
end
if needed[LEAKY_BUCKET] then
  local token_bucket = kinds[TOKEN_BUCKET]
  local bucket = {}
  for name, step in pairs(token_bucket) do bucket[name] = step end
  function bucket.settle(b, plan, reserved, really_used)
    token_bucket.settle(b, plan, reserved, max(reserved, really_used))
  end
  kinds[LEAKY_BUCKET] = bucket
end
if needed[FIXED_WINDOW] then
  local window = {}
  function window.spent(b, plan)
    local gone = windows_gone(b, plan)
    return gone == 0 and used[b] or max(0, used[b] - gone * plan.rate)
  end
  local function write(b, plan, next_used, next_unsettled)
    since[b] = since[b] + windows_gone(b, plan) * plan.period
    used[b], unsettled[b] = next_used, next_unsettled
  end
  function window.charge(b, plan, count, spent)
    write(b, plan, spent + count, min(unsettled[b], spent) + count)
  end
  function window.reset_after(b, plan)
    local spent = window.spent(b, plan)
    if spent == 0 then return 0 end
    local windows = windows_gone(b, plan) + ceil(spent / plan.rate)
    return since[b] + windows * plan.period - now
  end
  if more_than_one then
    function window.unsettled(b, plan)
      return min(unsettled[b], window.spent(b, plan))
    end
    function window.settle(b, plan, reserved, really_used)
      local spent, open = window.spent(b, plan), window.unsettled(b, plan)
      local most = plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
      local after, left = settled(spent, open, reserved, really_used, plan.scale)
      write(b, plan, min(after, max(spent, most)), left)
    end
    function window.begin(b, plan, spent, open, at)
      used[b], since[b], unsettled[b] = spent, window_start(plan, extras[b], at), open
      previous[b] = nil
    end
    function window.inherit() return false end
  end
  kinds[FIXED_WINDOW] = window
end
if needed[SLIDING_WINDOW] then
  local window = {}
  local function present(b, plan)
    local gone = windows_gone(b, plan)
    if gone == 0 then return used[b], previous[b] or 0, unsettled[b], since[b] end
    return 0, gone == 1 and used[b] or 0, 0, since[b] + gone * plan.period
  end
  function window.spent(b, plan)
    local units, before, _, start = present(b, plan)
    return units * plan.period + before * (plan.period - max(0, now - start))
  end
  function window.charge(b, plan, count)
    local units, before, open, start = present(b, plan)
    used[b], previous[b], unsettled[b], since[b] = units + count, before, open + count, start
  end
  function window.reset_after(b, plan)
    local units, before, _, start = present(b, plan)
    if units > 0 then return start + 2 * plan.period - now end
    return before > 0 and start + plan.period - now or 0
  end
  if more_than_one then
    function window.unsettled(b, plan)
      local _, _, open = present(b, plan)
      return open * plan.scale
    end
    function window.settle(b, plan, reserved, really_used)
      local units, before, open, start = present(b, plan)
      local most = max(units, floor(EXACT / plan.period) - before)
      units, open = settled(units, open, reserved, really_used, 1)
      used[b], previous[b], unsettled[b], since[b] = min(units, most), before, open, start
    end
    function window.begin(b, plan, spent, open, at)
      used[b], since[b] = ceil(spent / plan.scale), window_start(plan, extras[b], at)
      previous[b], unsettled[b] = nil, floor(open / plan.scale)
    end
    function window.inherit(b, plan, from)
      local function start(definition) return string.match(definition, ",([^,\\n]+)\\n") end
      local same = plan.period == from.period and start(plan.definition) == start(from.definition)
      return same and window.spent(b, plan) <= plan.full
    end
  end
  kinds[SLIDING_WINDOW] = window
end
if needed[SLIDING_LOG] or needed[CONCURRENCY] then
  local ENTRY = 16
  function elements_of(b, ...)
    local texts = redis.pcall(...)
    if not texts.err then return texts end
    if not string.find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
    foreign[b] = true
  end
  function numbers_of(b, text)
    if #text == ENTRY then return unpack_bytes("<dd", text) end
    foreign[b] = true
  end
  function check_orphan(b, key)
    local kind, texts = call("TYPE", key).ok, {}
    if kind == "none" then return end
    if kind == "list" then texts = call("LRANGE", key, 0, 0) end
    if kind == "zset" then texts = call("ZRANGE", key, 0, 0) end
    if not texts[1] or #texts[1] ~= ENTRY then foreign[b] = true end
  end
end
if needed[SLIDING_LOG] then
  local CHUNK = 16
  local sliding = {}
  local function read(b, key, enough)
    local entries, chunk = log_of[b].entries, CHUNK
    repeat
      local last = enough and #entries + chunk - 1 or -1
      local texts = elements_of(b, "LRANGE", key, #entries, last)
      if not texts then return true end
      for _, text in ipairs(texts) do
        local instant, units = numbers_of(b, text)
        if not instant then return true end
        entries[#entries + 1] = { instant, units }
      end
      if #texts < chunk or not enough then return true end
      chunk = chunk * 2
    until enough(entries)
    return false
  end
  function sliding.load(b, plan, key, need)
    local over = max(since[b], now) - plan.period
    local summed, units = 0, 0
    local function enough(entries)
      while summed < #entries do
        summed = summed + 1
        units = units + entries[summed][2]
      end
      return summed > 0 and entries[summed][1] > over and units >= used[b] + need - plan.full
    end
    local log = { entries = {} }
    log_of[b] = log
    log.whole = read(b, key, need >= 0 and enough or nil)
    if not log.whole then
      log.newest = { numbers_of(b, call("LINDEX", key, -1)) }
      return
    end
    enough(log.entries)
    if units < used[b] then
      log.entries[#log.entries + 1] = { since[b], used[b] - units }
      log.rewrite = true
    end
    log.newest = log.entries[#log.entries]
  end
  function sliding.save(b, key, ttl)
    local log = log_of[b]
    local function packed(entry) return pack("<dd", entry[1], entry[2]) end
    if log.rewrite then
      call("DEL", key)
      log.pushed = log.entries
    else
      if log.dropped then call("LTRIM", key, log.dropped, -1) end
      if log.joined then call("LSET", key, -1, packed(log.joined)) end
    end
    local texts = {}
    for index, entry in ipairs(log.pushed or {}) do texts[index] = packed(entry) end
    for first = 1, #texts, AT_ONCE do
      call("RPUSH", key, unpack(texts, first, min(first + AT_ONCE - 1, #texts)))
    end
    call("PEXPIRE", key, ttl)
  end
  local function present(b)
    return max(since[b], now)
  end
  local function gone(b, plan)
    local over, units, entries = present(b) - plan.period, 0, 0
    for _, entry in ipairs(log_of[b].entries) do
      if entry[1] > over then break end
      units, entries = units + entry[2], entries + 1
    end
    return units, entries
  end
  function sliding.spent(b, plan)
    return used[b] - gone(b, plan)
  end
  function sliding.unsettled(b, plan)
    return min(unsettled[b], sliding.spent(b, plan))
  end
  local function drop(b, plan)
    local log, units, entries = log_of[b], gone(b, plan)
    if entries == 0 then return end
    local kept = {}
    for index = entries + 1, #log.entries do kept[#kept + 1] = log.entries[index] end
    used[b], log.entries = used[b] - units, kept
    log.dropped = (log.dropped or 0) + entries
    if log.whole then log.newest = kept[#kept] end
  end
  local function push(b, units)
    local log, instant = log_of[b], present(b)
    local newest = log.newest
    if newest and newest[1] == instant then
      newest[2] = newest[2] + units
      if not log.pushed then log.joined = newest end
      return
    end
    log.newest = { instant, units }
    if log.whole then log.entries[#log.entries + 1] = log.newest end
    if log.rewrite then return end
    log.pushed = log.pushed or {}
    log.pushed[#log.pushed + 1] = log.newest
  end
  local function add(b, plan, units)
    drop(b, plan)
    unsettled[b] = min(unsettled[b], used[b]) + units
    if units == 0 then return end
    push(b, units)
    used[b], since[b] = used[b] + units, present(b)
  end
  local function take_back(b, units)
    local log = log_of[b]
    local entries = log.entries
    while units > 0 and #entries > 0 do
      local newest = entries[#entries]
      local back = min(units, newest[2])
      newest[2] = newest[2] - back
      if newest[2] == 0 then entries[#entries] = nil end
      units = units - back
    end
    log.newest, log.rewrite = entries[#entries], true
  end
  sliding.charge = add
  function sliding.settle(b, plan, reserved, really_used)
    add(b, plan, 0)
    local before = used[b]
    local after, open = settled(before, unsettled[b], reserved, really_used, plan.scale)
    if after > before then
      add(b, plan, after - before)
    else
      take_back(b, before - after)
    end
    used[b], unsettled[b] = after, open
  end
  function sliding.reset_after(b, plan)
    local newest = log_of[b].newest
    return newest and max(0, newest[1] + plan.period - now) or 0
  end
  function sliding.begin(b, _, spent, open, at)
    local first = spent > 0 and { at, spent } or nil
    log_of[b] = { entries = { first }, whole = true, rewrite = true, newest = first }
    used[b], since[b], previous[b], unsettled[b] = spent, at, nil, open
  end
  function sliding.rewind(b, ms)
    local log = log_of[b]
    for _, entry in ipairs(log.entries) do entry[1] = entry[1] - ms end
    log.rewrite = true
  end
  function sliding.inherit(b, plan, from)
    return plan.period == from.period and sliding.spent(b, plan) <= plan.full
  end
  kinds[SLIDING_LOG] = sliding
end
if needed[CONCURRENCY] then
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
  local function remove(b, id)
    local leases = leases_of[b]
    local entry = leases.by_id[id]
    if not entry then return 0 end
    local units = entry[2]
    entry[2], leases.by_id[id], leases.scores[member_of(id, units)] = 0, nil, false
    return units
  end
  local function add(b, id, units, ends)
    local leases, more = leases_of[b], remove(b, id)
    local entry = { ends, units + more, id }
    leases.entries[#leases.entries + 1], leases.by_id[id] = entry, entry
    if more == 0 then return end
    leases.scores[member_of(id, units)], leases.scores[member_of(id, units + more)] = false, ends
  end
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
  function concurrency.load(b, plan, key, need)
    no_leases(b, false)
    local wanted = need < 0 and math.huge or used[b] + need - plan.full
    local units, whole = read(b, key, wanted)
    if foreign[b] then return end
    if not whole then return read_named(b, key) end
    if units < used[b] then
      add(b, 0, used[b] - units, since[b] + plan.period)
      leases_of[b].rewrite = true
    end
  end
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
  function concurrency.release(b, _, id, count)
    drop(b)
    local entry = leases_of[b].by_id[id]
    if not entry or entry[2] ~= count then return false end
    used[b] = used[b] - remove(b, id)
    return true
  end
  function concurrency.renew(b, plan, id, count)
    if not concurrency.release(b, plan, id, count) then return false end
    lend(b, plan, id, count)
    return true
  end
  function concurrency.settle(b)
    drop(b)
  end
  function concurrency.unsettled() return 0 end
  function concurrency.reset_after(b, plan)
    return concurrency.spent(b) == 0 and 0 or since[b] + plan.period - now
  end
  function concurrency.begin(b, plan, spent, _, at)
    no_leases(b, true)
    used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
    if spent > 0 then lend(b, plan, 0, spent) end
  end
  function concurrency.rewind(b, ms)
    for _, entry in ipairs(leases_of[b].entries) do entry[1] = entry[1] - ms end
    leases_of[b].rewrite = true
  end
  function concurrency.inherit(b, plan)
    drop(b)
    local latest = present(b) + plan.period
    for _, entry in ipairs(leases_of[b].entries) do entry[1] = min(entry[1], latest) end
    since[b], leases_of[b].rewrite = present(b), true
    return true
  end
  kinds[CONCURRENCY] = concurrency
end
local function log_key_of(key)
  return (string.gsub(key, ":{", "+{", 1))
end
local function is_listed(kind)
  return kind == SLIDING_LOG or kind == CONCURRENCY
end
for _, b in ipairs(fresh or {}) do
  if foreign[b] then
    used[b], since[b], unsettled[b] = 0, 0, 0
  else
    kinds[plan_of[b].kind].begin(b, plan_of[b], 0, 0, now)
  end
end
if odd then
  local MOST = 3
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end
  local function plan_from(definition)
    local words = {}
    for word in string.gmatch(definition, "[^,\\n]+") do
      words[#words + 1] = word ~= "-" and tonumber(word, 36)
    end
    local kind, rate, period, capacity, debt = unpack(words)
    local from = {
      definition = definition, kind = kind, rate = rate, period = period,
      scale = 1, gain = 0, spare = 0,
    }
    if kind == SLIDING_WINDOW then
      from.scale = period
    elseif kind == TOKEN_BUCKET or kind == LEAKY_BUCKET then
      local shared = greatest_divisor(rate, period)
      from.scale, from.gain = period / shared, rate / shared
    end
    from.full = capacity * from.scale
    if rate > 0 and kind ~= SLIDING_WINDOW and kind ~= SLIDING_LOG and kind ~= CONCURRENCY then
      local most = EXACT - from.full
      from.spare = debt and min(debt * from.scale, most) or most
    end
    return from
  end
  local function convert(parts, from, plan)
    if from.scale == plan.scale then return parts end
    local units = floor(parts / from.scale)
    local rest = (parts - units * from.scale) / from.scale
    return units * plan.scale + min(plan.scale, ceil(rest * plan.scale))
  end
  local function most_kept(spent, from, plan)
    return plan.full + min(convert(max(0, spent - from.full), from, plan), plan.spare)
  end
  local function adopt(b, plan, from)
    local old, new = kinds[from.kind], kinds[plan.kind]
    if plan.kind == from.kind and new.inherit(b, plan, from) then return end
    local before = old.spent(b, from)
    local kept = min(convert(before, from, plan), most_kept(before, from, plan))
    local open = min(kept, convert(old.unsettled(b, from), from, plan))
    new.begin(b, plan, kept, open, max(now, since[b]))
  end
  local function list_at(o, kind, entries)
    if kind == SLIDING_LOG then
      log_of[o] = { entries = entries, whole = true, rewrite = true, newest = entries[#entries] }
    elseif kind == CONCURRENCY then
      local by_id = {}
      for _, entry in ipairs(entries) do
        if entry[2] > 0 then by_id[entry[3]] = entry end
      end
      leases_of[o] = { entries = entries, by_id = by_id, scores = {}, rewrite = true }
    end
  end
  local function open_others(b)
    for _, o in ipairs(others_of[b] or {}) do
      plan_of[o] = plan_from(definition_of[o])
      if previous[o] == 0 then previous[o] = nil end
      list_at(o, plan_of[o].kind, entries_of[o])
    end
  end
  local function memory(plan)
    if plan.rate == 0 then return 2 * plan.period end
    return plan.period * max(2, ceil(plan.full / plan.scale / plan.rate))
  end
  local function beside(b, from, plan)
    local o, list, entries = new_place(), log_of[b] or leases_of[b], {}
    plan_of[o], used[o], since[o], unsettled[o], previous[o] = from, used[b], since[b], unsettled[b], previous[b]
    for index, entry in ipairs(list and list.entries or {}) do
      entries[index] = { entry[1], entry[2], entry[3] }
    end
    list_at(o, from.kind, entries)
    local left = kinds[from.kind].reset_after(o, from)
    until_of[o] = min(now + max(left, memory(from), memory(plan)), EXACT)
    return o
  end
  local function become(b, o)
    used[b], since[b], unsettled[b], previous[b] = used[o], since[o], unsettled[o], previous[o]
    log_of[b], leases_of[b] = log_of[o], leases_of[o]
  end
  local function is_far_ahead(b, plan)
    return since[b] - now >= plan.period
  end
  local function rewind(b, plan)
    local grid = (plan.kind == FIXED_WINDOW or plan.kind == SLIDING_WINDOW) and plan.period or 1
    local ms = floor((since[b] - now) / grid) * grid
    since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
    if kinds[plan.kind].rewind then kinds[plan.kind].rewind(b, ms) end
    return ms
  end
  local function current(places)
    local kept = {}
    for _, o in ipairs(places) do
      if is_far_ahead(o, plan_of[o]) then until_of[o] = until_of[o] - rewind(o, plan_of[o]) end
      if until_of[o] > now then kept[#kept + 1] = o end
    end
    return kept
  end
  local function fitting(places)
    if #places <= MOST then return #places > 0 and places or nil end
    local goes = 1
    for index, o in ipairs(places) do
      if until_of[o] < until_of[places[goes]] then goes = index end
    end
    table.remove(places, goes)
    return places
  end
  local function turn_to(b, plan, from)
    local places, known = current(others_of[b] or {}), nil
    for index, o in ipairs(places) do
      if plan_of[o].definition == plan.definition then known = index end
    end
    if not known then
      if kinds[from.kind].reset_after(b, from) > 0 then
        places[#places + 1] = current({ beside(b, from, plan) })[1]
      end
      others_of[b] = fitting(places)
      return adopt(b, plan, from)
    end
    if is_far_ahead(b, from) then rewind(b, from) end
    local o = table.remove(places, known)
    places[#places + 1] = beside(b, from, plan)
    others_of[b] = places
    become(b, o)
  end
  function share(b, plan, count, lease)
    local places = current(others_of[b])
    others_of[b] = #places > 0 and places or nil
    local spent = kinds[plan.kind].spent(b, plan)
    for _, o in ipairs(places) do
      local to = plan_of[o]
      local kind = kinds[to.kind]
      local before, units = kind.spent(o, to), count
      if to.kind ~= CONCURRENCY or lease == 0 then
        units = min(count, floor((most_kept(spent, plan, to) - before) / to.scale))
      end
      if units > 0 then kind.charge(o, to, units, before, lease ~= 0 and lease or now) end
    end
  end
  function release_others(b, lease, count)
    for _, o in ipairs(others_of[b]) do
      local plan = plan_of[o]
      if plan.kind == CONCURRENCY then kinds[CONCURRENCY].release(o, plan, lease, count) end
    end
  end
  function renew_others(b, lease, count)
    for _, o in ipairs(others_of[b]) do
      local plan, kind = plan_of[o], kinds[CONCURRENCY]
      if plan.kind == CONCURRENCY and not kind.renew(o, plan, lease, count) then
        kind.charge(o, plan, count, nil, lease)
      end
    end
  end
  local function go_back(b, plan)
    if is_far_ahead(b, plan) then rewind(b, plan) end
    if since[b] > now and used[b] == 0 and not previous[b] and (blocked[b] or 0) <= now then
      kinds[plan.kind].begin(b, plan, 0, 0, now)
    end
  end
  for b, definition in pairs(odd) do
    local plan, from = plan_of[b], plan_from(definition)
    kind_before[b] = from.kind
    open_others(b)
    if definition ~= plan.definition or since[b] > now then
      if is_listed(from.kind) then kinds[from.kind].load(b, from, log_key_of(KEYS[b]), -1) end
      if definition ~= plan.definition then turn_to(b, plan, from) end
      if since[b] > now then go_back(b, plan) end
      changed[b] = true
    end
  end
end
if needed[SLIDING_LOG] or needed[CONCURRENCY] then
  local place = budgets
  for b = 1, budgets do
    local plan = plan_of[b]
    if is_listed(plan.kind) then
      place = place + 1
      local known = plan.kind == SLIDING_LOG and log_of[b] or plan.kind == CONCURRENCY and leases_of[b]
      if values[b] == false and not foreign[b] then check_orphan(b, KEYS[place]) end
      if not known and not foreign[b] then kinds[plan.kind].load(b, plan, KEYS[place], extras[b]) end
    end
  end
end
local reply, more = { now, 0 }, {}
for b in pairs(previous) do more[b] = b <= budgets or nil end
for b in pairs(blocked) do more[b] = true end
for b = 1, budgets do
  local at = 3 * b
  reply[at], reply[at + 1] = foreign[b] and -1 or used[b], now - since[b]
  reply[at + 2] = used[b] - unsettled[b]
end
local many = #reply + 1
reply[many] = 0
for b in pairs(more) do
  reply[many] = reply[many] + 1
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = b, previous[b] or 0, blocked[b] or 0
end
for b = 1, (needed[SLIDING_LOG] or needed[CONCURRENCY]) and budgets or 0 do
  local kind = not foreign[b] and plan_of[b].kind
  local log, leases = kind == SLIDING_LOG and log_of[b], kind == CONCURRENCY and leases_of[b]
  if log then
    reply[#reply + 1] = #log.entries + (log.whole and 0 or 1)
    for _, entry in ipairs(log.entries) do
      reply[#reply + 1], reply[#reply + 2] = entry[1], entry[2]
    end
    if not log.whole then
      reply[#reply + 1], reply[#reply + 2] = log.newest[1], log.newest[2]
    end
  elseif leases then
    reply[#reply + 1] = #leases.entries
    for _, entry in ipairs(leases.entries) do
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = entry[1], entry[2], entry[3]
    end
  end
end
local charged = 0
local follow = odd and function(b, plan)
  local is_fresh = since[b] > now and used[b] == 0 and (previous[b] or 0) == 0
  if is_fresh and (blocked[b] or 0) <= now then kinds[plan.kind].begin(b, plan, 0, 0, now) end
end
local function admits(b, plan, kind, needs, most)
  if foreign[b] or blocked[b] and blocked[b] > now then return nil end
  local spent = kind.spent(b, plan)
  return spent + needs <= most and spent or nil
end
local function take_one(b)
  local plan = plan_of[b]
  local kind = kinds[plan.kind]
  if follow then follow(b, plan) end
  local spent = admits(b, plan, kind, plan.scale, plan.full)
  if not spent then return end
  kind.charge(b, plan, 1, spent)
  if others_of[b] then share(b, plan, 1, 0) end
  charged, changed[b] = charged + 1, true
end
if not steps then
  for b = 1, budgets do take_one(b) end
else
  local function take_all(at)
    local last, spent = at + 1 + ASK * steps[at + 1], {}
    for ask = at + 2, last, ASK do
      local b, count, reserve, headroom = unpack(steps, ask, ask + 3)
      local plan = plan_of[b]
      if follow then follow(b, plan) end
      local most = reserve == 1 and plan.full + plan.spare or plan.full
      local needs = max(1, count) * plan.scale + headroom
      spent[ask] = admits(b, plan, kinds[plan.kind], needs, most)
      if not spent[ask] then return last end
    end
    for ask = at + 2, last, ASK do
      local b, count = steps[ask], steps[ask + 1]
      local plan = plan_of[b]
      if count > 0 then
        kinds[plan.kind].charge(b, plan, count, spent[ask], steps[ask + 4])
        if others_of[b] then share(b, plan, count, steps[ask + 4]) end
        changed[b] = true
      end
      charged = charged + 1
    end
    return last
  end
  local function block(b, plan, kind, ms)
    kind.settle(b, plan, 0, 0)
    local stays = plan.kind == FIXED_WINDOW or plan.kind == SLIDING_WINDOW or plan.kind == CONCURRENCY and used[b] > 0
    if not stays then since[b] = max(since[b], now) end
    blocked[b] = max(since[b], now) + ms
  end
  local function settle(b, plan, kind, reserved, really_used)
    kind.settle(b, plan, reserved, really_used)
    local more = plan.kind ~= CONCURRENCY and really_used - reserved or 0
    if more > 0 and others_of[b] then share(b, plan, more, 0) end
  end
  local function release(b, plan, kind, lease, count)
    if others_of[b] then release_others(b, lease, count) end
    kind.release(b, plan, lease, count)
  end
  local function renew(b, plan, kind, lease, count)
    if kind.renew(b, plan, lease, count) and others_of[b] then renew_others(b, lease, count) end
  end
  local function change(at)
    local step, b, one, other = steps[at], steps[at + 1], steps[at + 2], steps[at + 3]
    local plan = plan_of[b]
    local kind = kinds[plan.kind]
    if not foreign[b] then
      if follow then follow(b, plan) end
      if step == SETTLE then
        settle(b, plan, kind, one, other)
      elseif step == RESET then
        if blocked[b] and blocked[b] <= now then blocked[b] = nil end
        others_of[b] = nil
        kind.begin(b, plan, 0, 0, now)
      elseif step == BLOCK then
        block(b, plan, kind, one)
      elseif step == UNBLOCK then
        blocked[b] = nil
      elseif plan.kind == CONCURRENCY then
        (step == RELEASE and release or renew)(b, plan, kind, one, other)
      end
      changed[b] = true
    end
    return at + FIELDS[step]
  end
  local at = 1
  while at <= #steps do
    local step = steps[at]
    if step > 0 then
      take_one(step)
    elseif step == TAKE then
      at = take_all(at)
    else
      at = change(at)
    end
    at = at + 1
  end
end
local packed_others
if odd then
  local function packed_list(o)
    local list, kind = log_of[o] or leases_of[o], plan_of[o].kind
    if not is_listed(kind) then return "" end
    local texts = {}
    for _, entry in ipairs(list.entries) do
      if entry[2] > 0 then
        texts[#texts + 1] = pack("<dd", entry[1], entry[2]) .. (kind == CONCURRENCY and pack("<d", entry[3]) or "")
      end
    end
    return pack("<I4", #texts) .. table.concat(texts)
  end
  function packed_others(b)
    local texts, ttl = {}, 0
    for index, o in ipairs(others_of[b] or {}) do
      local numbers = pack(OTHER, used[o], since[o], unsettled[o], previous[o] or 0, until_of[o])
      texts[index] = plan_of[o].definition .. numbers .. packed_list(o)
      ttl = max(ttl, until_of[o] - now)
    end
    return table.concat(texts), ttl
  end
end
local function save(b)
  local plan, key, others, ttl_of_others = plan_of[b], KEYS[b], "", 0
  local kind_was = kind_before[b] or plan.kind
  local before, block = previous[b] or 0, blocked[b] or 0
  local ttl = kinds[plan.kind].reset_after(b, plan)
  if others_of[b] then others, ttl_of_others = packed_others(b) end
  if ttl_of_others > ttl then ttl = ttl_of_others end
  if block - now > ttl then ttl = block - now end
  if ttl > EXACT then ttl = EXACT end
  local kept = ttl > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)
  if kept then
    local expiry = format("%d", ttl + linger)
    local value = plan.definition .. pack(NUMBERS, used[b], since[b], unsettled[b])
    if before ~= 0 or block ~= 0 or others ~= "" then value = value .. pack(MORE, before, block) .. others end
    call("PSETEX", key, expiry, value)
    if is_listed(plan.kind) then kinds[plan.kind].save(b, log_key_of(key), expiry) end
  else
    call("DEL", key)
  end
  if is_listed(kind_was) and not (is_listed(plan.kind) and kept) then
    call("DEL", log_key_of(key))
  end
end
for b in pairs(changed) do
  if not foreign[b] then save(b) end
end
reply[2] = charged
return reply
`,
} as const;
