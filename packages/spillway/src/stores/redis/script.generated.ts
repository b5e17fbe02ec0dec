/** The Lua files beside this one, as `npm run embed` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "0f1ef41db74d88c5867b3c8d8374ffc1bebfc420",
  source: `local EXACT = 4503599627370496
local now, budgets, plans, owners, extras, steps = unpack(cjson.decode(ARGV[1]))
local linger = now and 3600000 or 0
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local makers = {}
local kinds = setmetatable({}, {
  __index = function(made, number)
    local kind = makers[number]()
    made[number] = kind
    return kind
  end,
})
local function settled(present, unsettled, reserved, used, scale)
  local change = (used - reserved) * scale
  local next
  if change < 0 then
    next = present - math.min(-change, unsettled)
  else
    next = math.min(EXACT, present + change)
  end
  return next, math.min(math.max(0, unsettled - reserved * scale), next)
end
local function window_start(plan, anchor, at)
  return at - (at - anchor) % plan.period
end
local function windows_gone(state, plan)
  local elapsed = now - state.since
  return elapsed < plan.period and 0 or math.floor(elapsed / plan.period)
end
makers[1] = function()
  local bucket = {}
  function bucket.spent(state, plan)
    local elapsed = now - state.since
    if elapsed <= 0 then return state.used end
    local left = state.used - elapsed * plan.gain
    return left > 0 and left or 0
  end
  function bucket.unsettled(state, plan)
    return math.min(state.unsettled, bucket.spent(state, plan))
  end
  local function write(state, used, unsettled)
    state.used, state.unsettled = used, unsettled
    if now > state.since then state.since = now end
  end
  function bucket.charge(state, plan, count)
    local spent = bucket.spent(state, plan)
    local taken = count * plan.scale
    write(state, spent + taken, math.min(state.unsettled, spent) + taken)
  end
  function bucket.settle(state, plan, reserved, used)
    local spent, unsettled = bucket.spent(state, plan), bucket.unsettled(state, plan)
    write(state, settled(spent, unsettled, reserved, used, plan.scale))
  end
  function bucket.reset_after(state, plan)
    local used = bucket.spent(state, plan)
    if used == 0 then return 0 end
    return math.max(0, state.since - now) + math.ceil(used / plan.gain)
  end
  function bucket.begin(state, _, spent, unsettled, _, at)
    state.used, state.since, state.previous, state.unsettled = spent, at, 0, unsettled
  end
  function bucket.inherits() return false end
  return bucket
end
makers[2] = function()
  local token_bucket = kinds[1]
  local bucket = {}
  for name, step in pairs(token_bucket) do bucket[name] = step end
  function bucket.settle(state, plan, reserved, used)
    token_bucket.settle(state, plan, reserved, math.max(reserved, used))
  end
  return bucket
end
makers[3] = function()
  local window = {}
  function window.spent(state, plan)
    local gone = windows_gone(state, plan)
    return gone == 0 and state.used or math.max(0, state.used - gone * plan.rate)
  end
  function window.unsettled(state, plan)
    return math.min(state.unsettled, window.spent(state, plan))
  end
  local function write(state, plan, used, unsettled)
    state.since = state.since + windows_gone(state, plan) * plan.period
    state.used, state.unsettled = used, unsettled
  end
  function window.charge(state, plan, count)
    local spent, unsettled = window.spent(state, plan), window.unsettled(state, plan)
    write(state, plan, spent + count, unsettled + count)
  end
  function window.settle(state, plan, reserved, used)
    local spent, unsettled = window.spent(state, plan), window.unsettled(state, plan)
    write(state, plan, settled(spent, unsettled, reserved, used, plan.scale))
  end
  function window.reset_after(state, plan)
    local used = window.spent(state, plan)
    if used == 0 then return 0 end
    local windows = windows_gone(state, plan) + math.ceil(used / plan.rate)
    return state.since + windows * plan.period - now
  end
  function window.begin(state, plan, spent, unsettled, anchor, at)
    state.used, state.since, state.previous, state.unsettled =
      spent, window_start(plan, anchor, at), 0, unsettled
  end
  function window.inherits() return false end
  return window
end
makers[4] = function()
  local window = {}
  local function turn(state, plan)
    local gone = windows_gone(state, plan)
    if gone == 0 then return state.used, state.previous, state.unsettled, state.since end
    return 0, gone == 1 and state.used or 0, 0, state.since + gone * plan.period
  end
  function window.spent(state, plan)
    local used, previous, _, since = turn(state, plan)
    return used * plan.period + previous * (plan.period - math.max(0, now - since))
  end
  function window.unsettled(state, plan)
    local _, _, unsettled = turn(state, plan)
    return unsettled * plan.scale
  end
  function window.charge(state, plan, count)
    local used, previous, unsettled, since = turn(state, plan)
    state.used, state.previous, state.unsettled, state.since =
      used + count, previous, unsettled + count, since
  end
  function window.settle(state, plan, reserved, really_used)
    local used, previous, unsettled, since = turn(state, plan)
    local most = math.floor(EXACT / plan.period) - previous
    used, unsettled = settled(used, unsettled, reserved, really_used, 1)
    state.used, state.previous, state.unsettled, state.since =
      math.min(used, most), previous, unsettled, since
  end
  function window.reset_after(state, plan)
    local used, previous, _, since = turn(state, plan)
    if used > 0 then return since + 2 * plan.period - now end
    return previous > 0 and since + plan.period - now or 0
  end
  function window.begin(state, plan, spent, unsettled, anchor, at)
    state.used, state.since, state.previous, state.unsettled =
      math.ceil(spent / plan.scale), window_start(plan, anchor, at), 0,
      math.floor(unsettled / plan.scale)
  end
  function window.inherits(plan, from)
    return plan.period == from.period and plan.start == from.start
  end
  return window
end
local CHUNK = 16
local function log_key_of(key)
  return (string.gsub(key, ":{", "+{", 1))
end
local function read_log(state, enough)
  local log = state.log
  repeat
    local texts = redis.pcall("LRANGE", state.log_key, #log, #log + CHUNK - 1)
    if texts.err then
      state.foreign = true
      return true
    end
    for _, text in ipairs(texts) do
      local instant, units = struct.unpack("<dd", text)
      log[#log + 1] = { instant, units }
    end
    if #texts < CHUNK then return true end
  until enough and enough(log)
  return false
end
local function load_log(state, plan, need)
  local over = math.max(state.since, now) - plan.period
  local summed, units = 0, 0
  local function enough(log)
    while summed < #log do
      summed = summed + 1
      units = units + log[summed][2]
    end
    return log[#log][1] > over and units >= state.used + need - plan.full
  end
  state.log = {}
  state.whole = read_log(state, need >= 0 and enough or nil)
  if not state.whole then
    state.newest = { struct.unpack("<dd", redis.call("LINDEX", state.log_key, -1)) }
    return
  end
  if #state.log > 0 then enough(state.log) end
  if units < state.used then
    state.log[#state.log + 1] = { state.since, state.used - units }
    state.rewrite = true
  end
  state.newest = state.log[#state.log]
end
local function begin_log(state)
  state.log, state.whole, state.rewrite, state.newest = {}, true, true, nil
end
local function save_log(state, ttl)
  local function packed(entry) return struct.pack("<dd", entry[1], entry[2]) end
  if state.rewrite then
    redis.call("DEL", state.log_key)
    state.pushed = state.log
  else
    if state.dropped then redis.call("LTRIM", state.log_key, state.dropped, -1) end
    if state.joined then redis.call("LSET", state.log_key, -1, packed(state.joined)) end
  end
  for _, entry in ipairs(state.pushed or {}) do
    redis.call("RPUSH", state.log_key, packed(entry))
  end
  redis.call("PEXPIRE", state.log_key, ttl)
end
makers[5] = function()
  local sliding = {}
  local function present(state)
    return math.max(state.since, now)
  end
  local function gone(state, plan)
    local over, units, entries = present(state) - plan.period, 0, 0
    for _, entry in ipairs(state.log) do
      if entry[1] > over then break end
      units, entries = units + entry[2], entries + 1
    end
    return units, entries
  end
  function sliding.spent(state, plan)
    return state.used - gone(state, plan)
  end
  function sliding.unsettled(state, plan)
    return math.min(state.unsettled, sliding.spent(state, plan))
  end
  local function drop(state, plan)
    local units, entries = gone(state, plan)
    if entries == 0 then return end
    local kept = {}
    for index = entries + 1, #state.log do kept[#kept + 1] = state.log[index] end
    if state.whole and #kept == 0 and not state.pushed then state.newest = nil end
    state.used, state.log = state.used - units, kept
    state.dropped = (state.dropped or 0) + entries
  end
  local function push(state, units)
    local instant, newest = present(state), state.newest
    if newest and newest[1] == instant then
      newest[2] = newest[2] + units
      if not state.pushed then state.joined = newest end
      return
    end
    state.newest = { instant, units }
    if state.whole then state.log[#state.log + 1] = state.newest end
    if state.rewrite then return end
    state.pushed = state.pushed or {}
    state.pushed[#state.pushed + 1] = state.newest
  end
  local function add(state, plan, units)
    drop(state, plan)
    state.unsettled = math.min(state.unsettled, state.used) + units
    if units == 0 then return end
    push(state, units)
    state.used, state.since = state.used + units, present(state)
  end
  local function take_back(state, units)
    local log = state.log
    while units > 0 and #log > 0 do
      local newest = log[#log]
      local back = math.min(units, newest[2])
      newest[2] = newest[2] - back
      if newest[2] == 0 then log[#log] = nil end
      units = units - back
    end
    state.newest, state.rewrite = log[#log], true
  end
  function sliding.charge(state, plan, count)
    add(state, plan, count)
  end
  function sliding.settle(state, plan, reserved, used)
    add(state, plan, 0)
    local before = state.used
    local after, unsettled = settled(before, state.unsettled, reserved, used, plan.scale)
    if after > before then
      add(state, plan, after - before)
    else
      take_back(state, before - after)
    end
    state.used, state.unsettled = after, unsettled
  end
  function sliding.reset_after(state, plan)
    if not state.newest then return 0 end
    return math.max(0, state.newest[1] + plan.period - now)
  end
  function sliding.begin(state, plan, spent, unsettled, _, at)
    begin_log(state)
    state.used, state.since, state.previous, state.unsettled = 0, at, 0, unsettled
    if spent == 0 then return end
    state.log[1] = { at, spent }
    state.used, state.newest = spent, state.log[1]
  end
  function sliding.inherits(plan, from)
    return plan.period == from.period
  end
  return sliding
end
local BUCKET, LEAKY, FIXED, SLIDING, LOG = 1, 2, 3, 4, 5
local function is_windowed(kind) return kind == FIXED or kind == SLIDING end
local function greatest_divisor(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end
local function plan_of(kind, rate, period, capacity, max_reserved, start)
  local plan = {
    kind = kind, rate = rate, period = period, capacity = capacity, start = start,
    scale = 1, gain = 0, spare = 0,
  }
  if kind == SLIDING then
    plan.scale = period
  elseif kind == BUCKET or kind == LEAKY then
    local shared = greatest_divisor(rate, period)
    plan.scale, plan.gain = period / shared, rate / shared
  end
  plan.full = capacity * plan.scale
  if rate > 0 and kind ~= SLIDING and kind ~= LOG then
    local most = EXACT - plan.full
    plan.spare = max_reserved < 0 and most or math.min(max_reserved * plan.scale, most)
  end
  return plan
end
local NO_START = -1e300
local function plans_sent()
  local sent = {}
  for index, values in ipairs(plans) do
    local start = values[6] or NO_START
    sent[index] = {
      kind = values[1], rate = values[2], period = values[3], capacity = values[4], start = start,
      scale = values[7], gain = values[8], full = values[9], spare = values[10],
      windowed = is_windowed(values[1]), algorithm = kinds[values[1]],
      bytes = struct.pack("<dddddd", values[1], values[2], values[3], values[4], values[5], start),
    }
  end
  return sent
end
local function convert(parts, from, to)
  if from.scale == to.scale then return parts end
  local units = math.floor(parts / from.scale)
  local rest = (parts - units * from.scale) / from.scale
  return units * to.scale + math.min(to.scale, math.ceil(rest * to.scale))
end
local function adopt(state, plan, from)
  local old, new = kinds[from.kind], plan.algorithm
  local before = old.spent(state, from)
  local debt = convert(math.max(0, before - from.full), from, plan)
  local most = plan.full + math.min(debt, plan.spare)
  local spent = convert(before, from, plan)
  local same = plan.kind == from.kind and new.inherits(plan, from)
  if same and spent <= most then return end
  local kept = math.min(spent, most)
  local unsettled = math.min(kept, convert(old.unsettled(state, from), from, plan))
  new.begin(state, plan, kept, unsettled, state.anchor, math.max(now, state.since))
end
local function rewind(state, plan)
  local grid = is_windowed(plan.kind) and plan.period or 1
  local ms = math.ceil((state.since - now) / grid) * grid
  state.since = state.since - ms
  state.blocked = math.max(0, state.blocked - ms)
  if not state.log then return end
  for _, entry in ipairs(state.log) do entry[1] = entry[1] - ms end
  state.rewrite = true
end
local function go_back(state, plan)
  if state.since - now >= plan.period then
    rewind(state, plan)
  elseif state.used == 0 and state.previous == 0 then
    plan.algorithm.begin(state, plan, 0, 0, state.anchor, now)
  end
end
local function begin_state(state, plan)
  plan.algorithm.begin(state, plan, 0, 0, state.anchor, now)
end
local function follow(state, plan, value)
  local from = plan_of(struct.unpack("<dddddd", value))
  local changed = string.sub(value, 1, 48) ~= plan.bytes
  if not changed and state.since <= now then return end
  if from.kind == LOG then
    state.log_key = log_key_of(state.key)
    load_log(state, from, -1)
  end
  if changed then adopt(state, plan, from) end
  if state.since > now then go_back(state, plan) end
  if plan.kind ~= LOG then state.log = nil end
  state.dirty = true
end
local function state_of(key, plan, value)
  if not value or #value ~= 88 then
    return {
      key = key, plan = plan, fresh = not value, foreign = value, dirty = false,
      used = 0, since = 0, previous = 0, unsettled = 0, blocked = 0,
    }
  end
  local used, since, previous, unsettled, blocked = struct.unpack("<ddddd", value, 49)
  return {
    key = key, plan = plan, fresh = false, foreign = false, dirty = false,
    used = used, since = since, previous = previous, unsettled = unsettled, blocked = blocked,
  }
end
local function ready(state, plan, value)
  if state.fresh then
    begin_state(state, plan)
  elseif state.since > now or string.sub(value, 1, 48) ~= plan.bytes then
    follow(state, plan, value)
  end
end
local function read_states(sent)
  local states, fresh, log_place = {}, {}, budgets
  local values = redis.call("MGET", unpack(KEYS, 1, budgets))
  for place = 1, budgets do
    local plan, value = sent[owners[place] or 1], values[place]
    local state = state_of(KEYS[place], plan, value)
    states[place] = state
    if plan.windowed then
      state.anchor = extras[place]
    elseif plan.kind == LOG then
      log_place = log_place + 1
      state.log_key = KEYS[log_place]
    end
    if state.fresh then fresh[#fresh + 1] = state end
    if not state.foreign then
      ready(state, plan, value)
      if plan.kind == LOG and not state.log then load_log(state, plan, extras[place]) end
    end
  end
  return states, fresh
end
local function mark_foreign(fresh)
  if #fresh == 0 then return end
  local keys = {}
  for index, state in ipairs(fresh) do keys[index] = state.key end
  if redis.call("EXISTS", unpack(keys)) == 0 then return end
  for _, state in ipairs(fresh) do
    state.foreign = redis.call("EXISTS", state.key) == 1
  end
end
local function save_states(states)
  for _, state in ipairs(states) do
    if state.dirty then
      local plan = state.plan
      local ttl = math.max(plan.algorithm.reset_after(state, plan), state.blocked - now)
      if ttl > 0 then
        ttl = math.min(ttl, EXACT) + linger
        local value = plan.bytes .. struct.pack(
          "<ddddd", state.used, state.since, state.previous, state.unsettled, state.blocked)
        redis.call("PSETEX", state.key, ttl, value)
        if state.log then
          save_log(state, ttl)
        elseif state.log_key then
          redis.call("DEL", state.log_key)
        end
      elseif not state.fresh then
        redis.call("DEL", state.key)
        if state.log_key then redis.call("DEL", state.log_key) end
      end
    end
  end
end
local charged = 0
local function admits(state, count, ahead)
  if state.foreign or state.blocked > now then return false end
  local plan = state.plan
  local needed = (count == 0 and 1 or count) * plan.scale
  local most = ahead == 1 and plan.full + plan.spare or plan.full
  return plan.algorithm.spent(state, plan) + needed <= most
end
local function charge(state, count)
  charged = charged + 1
  if count == 0 then return end
  state.plan.algorithm.charge(state, state.plan, count)
  state.dirty = true
end
local operations = {}
function operations.take(states, at)
  local last = at + 1 + 3 * steps[at + 1]
  for ask = at + 2, last, 3 do
    if not admits(states[steps[ask]], steps[ask + 1], steps[ask + 2]) then return last end
  end
  for ask = at + 2, last, 3 do charge(states[steps[ask]], steps[ask + 1]) end
  return last
end
local function on_one(arguments, change)
  return function(states, at)
    local state = states[steps[at + 1]]
    if not state.foreign then
      change(state, steps[at + 2], steps[at + 3])
      state.dirty = true
    end
    return at + arguments
  end
end
operations.settle = on_one(3, function(state, reserved, used)
  state.plan.algorithm.settle(state, state.plan, reserved, used)
end)
operations.reset = on_one(1, function(state) begin_state(state, state.plan) end)
operations.block = on_one(2, function(state, ms) state.blocked = now + ms end)
operations.unblock = on_one(1, function(state) state.blocked = 0 end)
local by_number = {
  operations.take, operations.settle, operations.reset, operations.block, operations.unblock,
}
local function run_steps(states)
  local at = 1
  while at <= #steps do
    local step = steps[at]
    if step > 0 then
      local state = states[step]
      if admits(state, 1, 0) then charge(state, 1) end
    else
      at = by_number[-step](states, at)
    end
    at = at + 1
  end
end
local function tell(reply, states)
  for _, state in ipairs(states) do
    local at = #reply
    if state.foreign then
      reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4], reply[at + 5] = -1, 0, 0, 0, 0
    else
      reply[at + 1], reply[at + 2], reply[at + 3], reply[at + 4], reply[at + 5] =
        state.used, state.since, state.previous, state.unsettled, state.blocked
    end
  end
end
local function tell_logs(reply, states)
  for _, state in ipairs(states) do
    if state.log and not state.foreign then
      local log = state.log
      reply[#reply + 1] = #log + (state.whole and 0 or 1)
      for _, entry in ipairs(log) do
        reply[#reply + 1], reply[#reply + 2] = entry[1], entry[2]
      end
      if not state.whole then
        reply[#reply + 1], reply[#reply + 2] = state.newest[1], state.newest[2]
      end
    end
  end
end
local states, fresh = read_states(plans_sent())
mark_foreign(fresh)
local reply = { now, 0 }
tell(reply, states)
tell_logs(reply, states)
run_steps(states)
save_states(states)
reply[2] = charged
return reply
`,
} as const;
