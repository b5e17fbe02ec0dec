-- Takes a unit of each of several keys.
-- Reads  names, budgets, now, linger; what unit-path.lua sets
-- Sets   values
values = call("MGET", unpack(names))
local reply, texts, expiries, fresh = { now, 0 }, {}, {}, nil
for b = 1, budgets do
  local value = values[b]
  used, since, kept = 0, now, nil
  if value then
    --include unit-read.lua
    if not is_plain then break end
  else
    fresh = fresh or {}
    fresh[#fresh + 1] = names[b]
  end
  --include unit-take.lua
  texts[b] = text
  if expiry then expiries[b] = expiry end
  reply[2 * b + 1], reply[2 * b + 2] = used, now - since
end
-- MGET returns nil for a key of another type.
if is_plain and not (fresh and call("EXISTS", unpack(fresh)) > 0) then
  for b = 1, charged > 0 and budgets or 0 do
    text, expiry, written = texts[b], expiries[b], nil
    if expiry then written = try("PSETEX", names[b], expiry, text)
    elseif text then written = try("SET", names[b], text, "KEEPTTL")
    end
    problem = problem or written and written.err
  end
  if problem then
    --include unwritten.lua
  end
  reply[2], reply[#reply + 1] = charged, 0
  return reply
end
