-- Carries out the step of a budget. Shows the lease that its answer depends on; of a refusal, all that
-- end until it ends, as one. See concurrency.lua.
-- Reads  value, definition, period, capacity, used, since, first, step, id, count, headroom, now,
--        linger
-- Sets   charged; what the reply shows; text, expiry; is_plain, false if something is unusual
local tail, latest, put, left = sub(value, first), since + period, 0, nil
end_one, units_one, id_one, text, expiry = nil, 0, -2, nil, nil
if step == TAKE then
  local most = capacity - max(1, count) - headroom
  if used <= most then
    charged = charged + 1
    if count > 0 then
      put, left = count, used + count
      is_plain = #tail < MOST_KEPT * LEASE_BYTES and left < 16777216 and not find(tail, pack("<I7", id), 1, true)
    end
  elseif most >= 0 then
    -- When enough units have ended, with all others that end then.
    local place, short = 1, used - most
    while place < #tail do
      local instant, units = unpack_bytes("<i6I4", tail, place)
      if short <= 0 and instant > end_one then break end
      end_one, units_one, short, place = instant, units_one + units, short - units, place + LEASE_BYTES
    end
  end
else
  left = used
  local place = find(tail, pack("<I7", id), 1, true)
  if place then
    place = place - ID_AT
    -- Bytes of several leases may look like an id.
    is_plain = place % LEASE_BYTES == 1
    if is_plain then end_one, units_one, id_one = unpack_bytes("<i6I4I7", tail, place) end
    if is_plain and units_one == count then
      tail = sub(tail, 1, place - 1) .. sub(tail, place + LEASE_BYTES)
      if step == RENEW then put = count else left = used - count end
    end
  end
end
if left then
  --include lease-write.lua
end
