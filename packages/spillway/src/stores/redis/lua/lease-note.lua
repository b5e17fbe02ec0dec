-- Notes what the reply says of a budget, and what is to be written, among several.
-- Reads  b, values, used, since, period, now; what the reply shows; text, expiry
-- Sets   states, more, shown, texts, expiries, fresh
local last = #states
states[last + 1], states[last + 2], texts[b], expiries[b] = used, now - since, text, expiry
if used > 0 then
  last = #more
  more[last + 1], more[last + 2], more[last + 3], more[last + 4] = b, used, 0, 0
end
-- All leases that are not shown apart are shown as one.
last = #shown
shown[last + 1] = (end_one and 1 or 0) + (used > units_one and 1 or 0)
if end_one then shown[last + 2], shown[last + 3], shown[last + 4] = end_one, units_one, id_one end
if used > units_one then
  local rest = #shown
  shown[rest + 1], shown[rest + 2], shown[rest + 3] = since + period, used - units_one, end_one and -3 or -2
end
if not values[b] then fresh[#fresh + 1] = KEYS[b] end
