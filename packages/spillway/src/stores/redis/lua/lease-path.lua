-- The most frequent requests to concurrency limits, without functions: each step takes, releases or
-- renews one lease, the first step of the first budget, the next of the next, if no state has
-- anything unusual and all leases are in the value. Everything else is left to the rest of the
-- script. See concurrency.lua. One step alone is sent without JSON, and needs no tables.
--
-- Reads  plans, owners, values, budgets, now, linger
-- Sets   plans and steps of one step alone, for later code; else it returns the reply
-- As in concurrency.lua. With more leases, all are stored apart.
local LEASE_BYTES, MOST_KEPT = 17, 16
-- The place of a lease's id among its bytes, from 0.
local ID_AT = 10
local sub, is_plain, charged, problem, at = string.sub, true, 0, nil, 1
-- A budget: its definition, the format of its numbers and their bytes; its state and its step.
local definition, form, bytes, period, capacity, value, used, since, first, step, id, count, headroom
-- What the reply shows apart of its leases. The value to write, "" for none; and for how long its key
-- is kept, if not as long as before.
local end_one, units_one, id_one, text, expiry
-- These for each budget, if there are several.
local states, more, shown, texts, expiries, fresh
if is_one then
  --include lease-one.lua
else
  states, more, shown, texts, expiries, fresh = { now, 0 }, {}, {}, {}, {}, {}
end
for b = 1, is_plain and budgets or 0 do
  if not is_one then
    --include lease-next.lua
  end
  value, used, since, first = values[b] or "", 0, now, 1
  if value ~= "" then
    --include lease-read.lua
  end
  if is_plain then
    --include lease-step.lua
  end
  if not is_plain then break end
  if not is_one then
    --include lease-note.lua
  end
end
-- MGET returns nil for a key of another type.
if fresh and fresh[1] and is_plain then
  is_plain = #fresh <= MOST_ARGUMENTS and call("EXISTS", unpack(fresh)) == 0
end
if is_plain then
  for b = 1, budgets do
    if not is_one then text, expiry = texts[b], expiries[b] end
    -- A deletion after a refused write would not be refused.
    if text and not problem then
      local written
      if text == "" then written = try("DEL", KEYS[b])
      elseif expiry then written = try("SET", KEYS[b], text, "PX", expiry)
      else written = try("SET", KEYS[b], text, "KEEPTTL")
      end
      problem = type(written) == "table" and written.err
    end
  end
  if problem then
    --include unwritten.lua
  end
  --include lease-reply.lua
elseif is_one then
  plans = { plan_from(definition, CONCURRENCY, capacity, period, 1, 0, capacity, 0, form) }
  steps = step == TAKE and { TAKE, 1, 1, count, 0, headroom, id } or { step, 1, id, count }
  values = call("MGET", KEYS[1])
end
