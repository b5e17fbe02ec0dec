-- States: from the keys' values, fit to be asked, and back.

-- Begins a state as a fresh key's.
local function begin_state(state, plan)
  plan.algorithm.begin(state, plan, 0, 0, state.anchor, now)
end

-- A state whose definition differs from what is asked, or whose clock went back.
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
  -- Kept even by a look: what is brought back to this instant must not be brought back again.
  state.dirty = true
end

-- A state from what its key holds: all fields at once, for a table that grows is slow.
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

-- Makes a state fit to be asked.
local function ready(state, plan, value)
  if state.fresh then
    begin_state(state, plan)
  elseif state.since > now or string.sub(value, 1, 48) ~= plan.bytes then
    follow(state, plan, value)
  end
end

-- Reads all states; a key that holds something else is left alone and marked.
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

-- MGET shows a key of another type as none: writing it would destroy what isn't ours.
local function mark_foreign(fresh)
  if #fresh == 0 then return end
  local keys = {}
  for index, state in ipairs(fresh) do keys[index] = state.key end
  if redis.call("EXISTS", unpack(keys)) == 0 then return end
  for _, state in ipairs(fresh) do
    state.foreign = redis.call("EXISTS", state.key) == 1
  end
end

-- Writes what was changed; what equals a fresh key is forgotten.
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
