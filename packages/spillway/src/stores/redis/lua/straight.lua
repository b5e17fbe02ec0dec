-- What is asked most, in a straight line: one unit each of buckets under one limit, none of which has
-- anything unusual about it. The arithmetic is that of token-bucket.lua, without its functions and
-- columns, in half the time. Whatever is unusual is left to the rest of the script.
local straight = #KEYS <= AT_ONCE and ARGV[3] == "" and ARGV[5] == "" and string.find(ARGV[6], "^[12],") == 1
if straight then
  local definition, values, fresh = ARGV[6] .. "\n", call("MGET", unpack(KEYS)), nil
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
