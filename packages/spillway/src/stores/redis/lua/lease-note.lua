-- Notes what the reply says of a budget, and what is to be written, among several.
-- Reads  b, values, used, since, now; what the reply shows; text, expiry
-- Sets   states, more, shown, texts, expiries, fresh
local last = #states
states[last + 1], states[last + 2], texts[b], expiries[b] = used, now - since, text, expiry
if used > 0 then
  last = #more
  more[last + 1], more[last + 2], more[last + 3], more[last + 4] = b, used, 0, 0
end
last = #shown
shown[last + 1] = parts
if parts > 0 then shown[last + 2], shown[last + 3], shown[last + 4] = end_one, units_one, id_one end
if parts > 1 then shown[last + 5], shown[last + 6], shown[last + 7] = end_two, units_two, -2 end
if not values[b] then fresh[#fresh + 1] = KEYS[b] end
