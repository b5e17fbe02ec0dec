-- Sliding log: every admitted ask, remembered for one period. Its entries are a list of their own,
-- 16 bytes each, oldest first; `used` is the sum of their units. Only as much of the list is read as
-- an answer depends on: `log` is what was read from its beginning, `newest` its last entry, `whole`
-- whether `log` is all of it. What changes is written when all steps are done.
local CHUNK = 16

-- The key of a state's log: the same name after another mark.
local function log_key_of(key)
  return (string.gsub(key, ":{", "+{", 1))
end

-- Reads entries, from the oldest, until `enough` says so. Returns whether the list has ended.
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

-- Reads what answers depend on, where `need` units might be asked for; -1 reads everything.
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
  -- Where Redis has evicted the list and left the state, all counts as the newest.
  if units < state.used then
    state.log[#state.log + 1] = { state.since, state.used - units }
    state.rewrite = true
  end
  state.newest = state.log[#state.log]
end

-- Begins a log anew: the list is written over.
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

  -- Units, and entries, that are over.
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

  -- The log was read as a whole for this.
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
