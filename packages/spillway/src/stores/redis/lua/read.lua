-- The states, from the keys' values: a definition, used, since, unsettled and, where they are not 0,
-- previous and blocked until. Below 45 bytes Redis keeps a value in one piece.
--
-- What is not just as it is expected is looked at later: `odd` tells the definition it has.
local NUMBERS, MORE = "<I7i7I7", "<I7i7"
local values, fresh, odd = {}, nil, nil
for first = 1, budgets, AT_ONCE do
  local last = min(first + AT_ONCE - 1, budgets)
  local part = call("MGET", unpack(KEYS, first, last))
  if first == 1 then
    values = part
  else
    for index = first, last do values[index] = part[index - first + 1] end
  end
end
for b = 1, budgets do
  local plan, value = sent[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh = fresh or {}
    fresh[#fresh + 1] = b
  elseif #value == plan.length + 21 and string.find(value, plan.definition, 1, true) == 1 then
    used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, value, plan.length + 1)
    if since[b] > now then
      odd = odd or {}
      odd[b] = plan.definition
    end
  else
    odd = odd or {}
    odd[b] = string.match(value, "^[1-6][^\n]*\n") or ""
  end
end

-- MGET shows a key of another type as none: writing it would destroy what isn't ours.
if fresh then
  local keys = {}
  for index, b in ipairs(fresh) do keys[index] = KEYS[b] end
  for first = 1, #keys, AT_ONCE do
    local last = min(first + AT_ONCE - 1, #keys)
    if call("EXISTS", unpack(keys, first, last)) > 0 then
      for index = first, last do foreign[fresh[index]] = call("EXISTS", keys[index]) == 1 end
    end
  end
end

-- Odd ones may have more to tell, be of another kind, or none of ours.
for b, definition in pairs(odd or {}) do
  local value, length = values[b], #definition
  local more = #value - length - 21
  if length > 0 and (more == 0 or more == 14) then
    needed[string.byte(definition) - 48] = true
    used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, value, length + 1)
    if more > 0 then previous[b], blocked[b] = unpack_bytes(MORE, value, length + 22) end
    if previous[b] == 0 then previous[b] = nil end
  else
    used[b], since[b], unsettled[b], foreign[b], odd[b] = 0, 0, 0, true, nil
  end
end
