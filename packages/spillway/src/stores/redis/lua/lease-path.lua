-- The most frequent requests to concurrency limits, without functions: each step takes, releases or
-- renews one lease, the first step of the first budget, the next of the next, if no state has
-- anything unusual and all leases are in the value. Everything else is left to the rest of the
-- script. See concurrency.lua.
--
-- Reads  plans, owners, values, steps, budgets, now, linger
-- Sets   nothing for later code: it returns the reply, or leaves everything to the rest of the
--        script
-- As in concurrency.lua. With more leases, all are stored apart.
local LEASE_BYTES, MOST_KEPT = 17, 16
-- The place of a lease's id among its bytes, from 0.
local ID_AT = 10
local sub = string.sub
local is_plain, fresh, reply, charged, more, shown, problem = true, nil, { now, 0 }, 0, {}, {}, nil
-- The values to write, "" for none; and for how long their keys are kept, if not as long as before.
local texts, expiries, at = {}, {}, 1
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local used, since, first = 0, now, 1
  if value then
    --include lease-read.lua
  else
    fresh = fresh or {}
    fresh[#fresh + 1], value = KEYS[b], ""
  end
  if not is_plain then break end
  local place = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[place + 1], reply[place + 2] = used, now - since
  if used > 0 then
    local last = #more
    more[last + 1], more[last + 2], more[last + 3], more[last + 4] = b, used, 0, 0
  end
  --include lease-step.lua
  if not is_plain then break end
end
-- MGET returns nil for a key of another type.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end
if is_plain then
  for b = 1, budgets do
    local text = not problem and texts[b]
    if text then
      local written
      if text == "" then written = try("DEL", KEYS[b])
      elseif expiries[b] then written = try("PSETEX", KEYS[b], expiries[b], text)
      else written = try("SET", KEYS[b], text, "KEEPTTL")
      end
      -- A deletion after a refused write would not be refused.
      problem = type(written) == "table" and written.err
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
