-- Decodes the states.
-- Reads  plans, owners, values, now
-- Sets   used, since, unsettled, previous, blocked, record_of, text_of_others, apart_of, inline_of,
--        plan_of, foreign; fresh, odd, needed

-- Marks a key that holds something else. It is never written. TypeScript recognizes it by `used`
-- below 0.
local function reject(b)
  foreign[b], used[b], since[b], unsettled[b] = true, -1, now, 0
  overridden[b], record_of[b] = nil, nil
end

-- Sets the rare parts of a state, according to its marks.
local function decode_more(b, marks, at)
  local value = values[b]
  if band(marks, HAS_BLOCK) ~= 0 then blocked[b], at = unpack_bytes(BLOCK_END, value, at) end
  if band(marks, HAS_OTHERS) ~= 0 then text_of_others[b], at = unpack_bytes(OTHERS, value, at) end
  if band(marks, HAS_APART) ~= 0 then
    apart_of[b] = { unpack_bytes(APART, value, at) }
    at = apart_of[b][4]
  end
  inline_of[b] = string.sub(value, at)
end

-- Sets a state from the part of its value after a definition. Returns false if that part is not
-- ours.
local all_used, all_since, all_unsettled = used, since, unsettled
local function decode(b, length)
  local value, at, used, since, unsettled, before = values[b], length + 1, nil, nil, nil, nil
  --include decode.lua
  if not at then return false end
  all_used[b], all_since[b], all_unsettled[b], previous[b] = used, since, unsettled, before
  return at > #value or pcall(decode_more, b, marks, at)
end

-- Takes the penalty record from the front of the parts that stand before the states under other
-- definitions, if there is one. Fails for anything else in its place.
local function take_record(b, parts)
  if not parts[1] or type(parts[1][1]) ~= "number" then return end
  record_of[b] = table.remove(parts, 1)
  for field = 1, REPLY_RECORD do
    local number = record_of[b][field]
    assert(type(number) == "number" and number >= 0)
  end
end

-- Whether a state has more beside it than a penalty record. A record alone needs no definitions.lua.
local function has_others(b)
  if not text_of_others[b] then return false end
  local is_list, parts = pcall(cmsgpack.unpack, text_of_others[b])
  if not (is_list and #parts == 1 and pcall(take_record, b, parts) and record_of[b]) then return true end
  text_of_others[b] = nil
  return false
end

-- States without a value; states that need definitions.lua, or none if only a step needs it; the kinds
-- of the plans.
local fresh, odd, needed = {}, nil, {}
if steps and steps[1] == OVERRIDE then odd = {} end
for _, plan in ipairs(plans) do needed[plan.kind] = true end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh[#fresh + 1] = b
  else
    local is_ours = find(value, plan.definition, 1, true) == 1 and decode(b, #plan.definition)
    if not is_ours or has_others(b) or since[b] > now then
      odd = odd or {}
      odd[#odd + 1] = b
    end
  end
end
