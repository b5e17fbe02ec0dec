-- Decodes the states.

-- A key that holds something else is never written. TypeScript takes a negative `used` for that.
local function reject(b)
  foreign[b], used[b], since[b], unsettled[b] = true, -1, now, 0
end

-- Sets a state from what follows a definition of some length. Returns how many bytes there are beyond NUMBERS;
-- nil where it is not ours.
local function decode(b, length)
  local more = #values[b] - length - NUMBERS_BYTES
  if more ~= 0 and more < MORE_BYTES then return nil end
  used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, values[b], length + 1)
  if more > 0 then previous[b], blocked[b] = unpack_bytes(MORE, values[b], length + NUMBERS_BYTES + 1) end
  return more
end

-- The key of the list that some kinds keep beside a state.
local function list_key(b)
  return (string.gsub(KEYS[b], ":{", "+{", 1))
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
    local more = find(value, plan.definition, 1, true) == 1 and decode(b, #plan.definition)
    if not more or more > MORE_BYTES or since[b] > now then
      odd = odd or {}
      odd[#odd + 1] = b
    end
  end
end
