-- Carries out the step of one budget, which takes, releases or renews a lease. Shows the leases that
-- its answer depends on, and all others as one: see concurrency.lua.
-- Reads  b, plan, value, used, since, first, steps, now, linger
-- Sets   at, the next step; charged; shown; texts, expiries; is_plain, false if something is unusual
local tail, latest, count, id = sub(value, first), since + plan.period, steps[at + 3], nil
-- What is shown apart; the units of a lease that then ends last; the units in flight afterwards.
local shown_end, shown_units, shown_id, put, left = nil, 0, -1, 0, nil
if steps[at] == TAKE then
  id = steps[at + 6]
  local most = plan.capacity_ticks - max(1, count) - steps[at + 5]
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
      if short <= 0 and instant > shown_end then break end
      shown_end, shown_units, short, place = instant, shown_units + units, short - units, place + LEASE_BYTES
    end
  end
  at = at + 2 + ASK
else
  id, left = steps[at + 2], used
  local place = find(tail, pack("<I7", id), 1, true)
  if place then
    place = place - ID_AT
    -- Bytes of several leases may look like an id.
    is_plain = place % LEASE_BYTES == 1
    if is_plain then shown_end, shown_units, shown_id = unpack_bytes("<i6I4I7", tail, place) end
    if is_plain and shown_units == count then
      tail = sub(tail, 1, place - 1) .. sub(tail, place + LEASE_BYTES)
      if steps[at] == RENEW then put = count else left = used - count end
    end
  end
  at = at + 4
end
local parts, last = 0, #shown
shown[last + 1] = 0
if shown_end then
  shown[last + 2], shown[last + 3], shown[last + 4], parts = shown_end, shown_units, shown_id, 1
end
if used > shown_units then
  last = #shown
  shown[last + 1], shown[last + 2], shown[last + 3] = latest, used - shown_units, -1 - parts
  parts = parts + 1
end
shown[#shown - 3 * parts] = parts
if left then
  --include lease-write.lua
end
