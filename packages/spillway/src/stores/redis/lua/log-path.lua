-- The most frequent requests to sliding logs, without functions: one unit of each budget, if no
-- state has anything unusual and all entries are in the value. Everything else is left to the rest
-- of the script. See sliding-log.lua.
--
-- Reads  plans, owners, values, budgets, now, linger
-- Sets   nothing for later code: it returns the reply, or leaves everything to the rest of the
--        script
-- As in sliding-log.lua. With more bytes of entries, some are stored apart.
local ENTRY, ENTRY_BYTES, MOST_BYTES, SUMS = "<i6I7", 13, 416, 9007199254740992
local sub = string.sub
local is_plain, fresh, reply, charged, more, shown, problem = true, nil, { now, 0 }, 0, {}, {}, nil
local texts, expiry_of = {}, {}
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local definition, used, since, unsettled, before, tail, last, sum = plan.definition, 0, now, 0, nil, "", now, 0
  local count = #shown + 1
  shown[count] = 0
  if value then
    --include log-read.lua
  else
    fresh = fresh or {}
    fresh[#fresh + 1] = KEYS[b]
  end
  local is_admitted = used < plan.capacity_ticks
  if since > now or used > plan.capacity_ticks or is_admitted and #tail > MOST_BYTES - ENTRY_BYTES then is_plain = false end
  if not is_plain then break end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2] = used, now - since
  if unsettled ~= used then
    local at = #more
    more[at + 1], more[at + 2], more[at + 3], more[at + 4] = b, used - unsettled, 0, 0
  end
  if is_admitted then
    --include log-take.lua
  end
end
-- MGET returns nil for a key of another type.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end
if is_plain then
  for b = 1, budgets do
    if texts[b] then
      local written = try("PSETEX", KEYS[b], expiry_of[plans[owners and owners[b] or 1]], texts[b])
      problem = problem or written.err
    end
  end
  if problem then
    --include unwritten.lua
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, #more / REPLY_MORE
  for at = 1, #more do reply[#reply + 1] = more[at] end
  for at = 1, #shown do reply[#reply + 1] = shown[at] end
  return reply
end
