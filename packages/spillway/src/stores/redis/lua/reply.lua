-- The states as they were, the steps, and what they left.
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
