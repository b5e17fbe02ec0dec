-- The states, from the keys' values: a definition, used, since, unsettled and, where they are not 0,
-- previous and blocked until. Below 45 bytes Redis keeps a value in one piece. While a limit has several
-- definitions, the states under the others follow: definition, used, since, unsettled, previous, until
-- when they are kept, and where their kind has a list, how many entries it has and these.
--
-- What is not just as it is expected is looked at later: `odd` tells the definition it has.
local NUMBERS, MORE, OTHER = "<I7i7I7", "<I7i7", "<I7i7I7I7i7"
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

if odd then
  local last_place = budgets
  definition_of, until_of, entries_of = {}, {}, {}
  function new_place()
    last_place = last_place + 1
    return last_place
  end

  -- A list that is kept in a value: numbers, so many an entry, after how many entries there are. Returns
  -- them, and where it ends; nil where the value ends before.
  local function read_entries(value, at, width)
    if #value < at + 3 then return nil end
    local count, entries = unpack_bytes("<I4", value, at), {}
    at = at + 4
    if #value < at + 8 * width * count - 1 then return nil end
    for index = 1, count do
      entries[index] = { unpack_bytes("<" .. string.rep("d", width), value, at) }
      at = at + 8 * width
    end
    return entries, at
  end

  -- The states under further definitions, from where the own one ends: each has a place beyond those of
  -- budgets. Returns whether they are ours.
  local function read_others(b, value, at)
    local places = {}
    while at <= #value do
      local definition = string.match(value, "^[1-6][^\n]*\n", at)
      at = at + #(definition or "")
      if not definition or #value < at + 34 then return false end
      local o, kind = new_place(), string.byte(definition) - 48
      places[#places + 1], definition_of[o], needed[kind] = o, definition, true
      used[o], since[o], unsettled[o], previous[o], until_of[o] = unpack_bytes(OTHER, value, at)
      at = at + 35
      if kind == SLIDING_LOG or kind == CONCURRENCY then
        entries_of[o], at = read_entries(value, at, kind == SLIDING_LOG and 2 or 3)
        if not at then return false end
      end
    end
    others_of[b] = places
    return true
  end

  -- Odd ones may have more to tell, be of another kind, or none of ours.
  for b, definition in pairs(odd) do
    local value, length = values[b], #definition
    local more = #value - length - 21
    local is_ours = length > 0 and (more == 0 or more >= 14)
    if is_ours and more > 14 then is_ours = read_others(b, value, length + 36) end
    if is_ours then
      needed[string.byte(definition) - 48] = true
      used[b], since[b], unsettled[b] = unpack_bytes(NUMBERS, value, length + 1)
      if more > 0 then previous[b], blocked[b] = unpack_bytes(MORE, value, length + 22) end
      if previous[b] == 0 then previous[b] = nil end
    else
      used[b], since[b], unsettled[b], foreign[b], odd[b] = 0, 0, 0, true, nil
    end
  end
end
