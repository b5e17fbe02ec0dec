-- Decodes the states.

-- A key that holds something else is never written. TypeScript takes a negative `used` for that.
local function reject(b)
  foreign[b], used[b], since[b], unsettled[b] = true, -1, now, 0
end

-- Sets what only few states have, from what follows NUMBERS.
local function decode_more(b, at)
  local value, marks = values[b], nil
  marks, at = unpack_bytes(MARKS, value, at)
  if band(marks, HAS_MORE) ~= 0 then previous[b], blocked[b], at = unpack_bytes(MORE, value, at) end
  if band(marks, HAS_OTHERS) ~= 0 then text_of_others[b], at = unpack_bytes(OTHERS, value, at) end
  if band(marks, HAS_APART) ~= 0 then
    apart_of[b] = { unpack_bytes(APART, value, at) }
    at = apart_of[b][4]
  end
  inline_of[b] = string.sub(value, at)
end

-- Sets a state from what follows a definition of some length; false where that is not ours.
local function decode(b, length)
  local value, at = values[b], nil
  if #value < length + NUMBERS_BYTES then return false end
  used[b], since[b], unsettled[b], at = unpack_bytes(NUMBERS, value, length + 1)
  return at > #value or pcall(decode_more, b, at)
end

-- Those without a value; those that need definitions.lua; the kinds that are asked under.
local fresh, odd, needed = {}, nil, {}
for _, plan in ipairs(plans) do needed[plan.kind] = true end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh[#fresh + 1] = b
  else
    local is_ours = find(value, plan.definition, 1, true) == 1 and decode(b, #plan.definition)
    if not is_ours or text_of_others[b] or since[b] > now then
      odd = odd or {}
      odd[#odd + 1] = b
    end
  end
end
