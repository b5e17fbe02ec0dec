-- Reads the only step of a request, and its plan, which are ARGV.
-- Sets   definition, form, bytes, period, capacity, step, id, count, headroom
local _
definition, form, _, period, capacity, step, id, count, headroom = unpack(ARGV)
bytes, period, capacity, step, id, count, headroom = #definition + 10, period + 0, capacity + 0, step + 0, id + 0, count + 0, headroom + 0
