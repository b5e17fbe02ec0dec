-- Takes a unit of one key. The reply is a text, which costs less than a list.
-- Reads  names, now, linger; what unit-path.lua sets
-- GET fails for a key of another type, of which MGET and EXISTS are two commands.
local value = try("GET", names[1])
if type(value) == "table" then is_plain = false
elseif value then
  --include unit-read.lua
end
if is_plain then
  --include unit-take.lua
  if expiry then written = try("PSETEX", names[1], expiry, text)
  elseif text then written = try("SET", names[1], text, "KEEPTTL")
  end
  problem = written and written.err
  if problem then
    --include unwritten.lua
  end
  return format("%d,%d,%d,%d", now, charged, used, now - since)
end
