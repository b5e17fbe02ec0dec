-- Reads the only step of a request, and its plan, from ARGV; and the budget's value.
-- Sets   definition, form, bytes, period, capacity, step, id, count, headroom; values; is_plain,
--        false if the value can't be read
definition, form, period, capacity, step, id, count, headroom = unpack(ARGV)
bytes, period, capacity, step, id = #definition + 10, period + 0, capacity + 0, step + 0, id + 0
count, headroom = (count or 1) + 0, (headroom or 0) + 0
-- GET fails for a key of another type, of which MGET and EXISTS are two commands.
local found = try("GET", KEYS[1])
is_plain = type(found) ~= "table"
values = { is_plain and found }
