-- Writes what was changed. What equals a fresh key is deleted; but not by a clock for tests, which may go back
-- to where units were used or the key was blocked, while other stores still know of it.

-- A value: what only few states have follows the numbers.
local function encode(b, others)
  local before, block, marks, more, apart, inline = previous[b] or 0, blocked[b] or 0, 0, "", "", ""
  local kind = plan_of[b].algorithm
  if kind.divide then apart, inline = kind.divide(b) end
  if before ~= 0 or block ~= 0 then marks, more = HAS_MORE, pack(MORE, before, block) end
  if others ~= "" then marks, more = marks + HAS_OTHERS, more .. pack(OTHERS, #others, others) end
  if apart ~= "" then marks, more = marks + HAS_APART, more .. apart end
  local value = pack(STATE, plan_of[b].definition, used[b], since[b], unsettled[b])
  if marks == 0 and inline == "" then return value end
  return value .. pack(MARKS, marks) .. more .. inline
end

local function save(b)
  local plan, key, others, ttl_of_others = plan_of[b], KEYS[b], "", 0
  local before, block = previous[b] or 0, blocked[b] or 0
  local ttl = plan.algorithm.reset_after(b, plan)
  if others_of[b] then others, ttl_of_others = encode_others(b) end
  ttl = max(ttl, block - now, ttl_of_others)
  if not (ttl > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)) then
    if list_of[b] and list_of[b].is_apart then call("UNLINK", list_of[b].key) end
    return call("DEL", key)
  end
  -- By %d: a number would be made text by %.17g, which takes longer than all else here.
  local expiry = format("%d", (ttl < EXACT and ttl or EXACT) + linger)
  call("PSETEX", key, expiry, encode(b, others))
  if plan.algorithm.write then plan.algorithm.write(b, expiry) end
  if others_of[b] then write_others(b, expiry) end
end

for b = 1, budgets do
  -- What has turned out to be foreign, for its list is, was migrated in vain.
  if changed[b] and not foreign[b] then save(b) end
end
for _, list in ipairs(forgotten) do
  if list.is_apart then call("UNLINK", list.key) end
end
