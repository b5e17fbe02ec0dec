-- Decodes a state whose leases are all in its value, and leaves out those that have ended. They
-- stand in the order of their ends.
-- Reads  value, definition, form, bytes, now
-- Sets   used, since; first, the position of the first lease in flight; is_plain, false if something
--        is unusual
local length, head, marks = #value - bytes, nil, nil
is_plain = length > 0 and length <= MOST_KEPT * LEASE_BYTES and length % LEASE_BYTES == 0
if is_plain then
  head, marks, since, used, first = unpack_bytes(form, value)
  -- No unit of a lease can be settled.
  is_plain = head == definition and marks == ALL_SETTLED and since <= now
  local instant, units = unpack_bytes("<i6I4", value, first)
  while instant and instant <= now do
    used, first, instant = used - units, first + LEASE_BYTES, nil
    if first < #value then instant, units = unpack_bytes("<i6I4", value, first) end
  end
end
