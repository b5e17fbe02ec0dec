-- Decodes a state whose leases are all in its value, and leaves out those that have ended. They
-- stand in the order of their ends.
-- Reads  plan, value, now
-- Sets   used, since; first, the position of the first lease in flight; is_plain, false if something
--        is unusual
local bytes, head, marks = plan.bytes, nil, nil
local leases_bytes = #value - bytes
is_plain = leases_bytes > 0 and leases_bytes <= MOST_KEPT * LEASE_BYTES and leases_bytes % LEASE_BYTES == 0
if is_plain then
  head, marks, since, used, first = unpack_bytes(plan.numbers, value)
  -- No unit of a lease can be settled.
  is_plain = head == plan.definition and marks == ALL_SETTLED and since <= now
  local instant, units = unpack_bytes("<i6I4", value, first)
  while instant and instant <= now do
    used, first, instant = used - units, first + LEASE_BYTES, nil
    if first < #value then instant, units = unpack_bytes("<i6I4", value, first) end
  end
end
