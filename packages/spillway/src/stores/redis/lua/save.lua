-- Writes what was changed. What equals a fresh key is deleted; but not by a clock for tests, which may go back
-- to where units were used or the key was blocked, while other stores still know of it.
local function save(b)
  local plan, key = plan_of[b], KEYS[b]
  local kind, definition = plan.algorithm, plan.definition
  local ttl = kind.reset_after(b, plan)
  local before, block, others, ttl_of_others = previous[b] or 0, blocked[b] or 0, "", 0
  if others_of[b] then others, ttl_of_others = encode_others(b) end
  ttl = max(ttl, block - now, ttl_of_others)
  local is_kept = ttl > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)
  if is_kept then
    -- By %d: a number would be made text by %.17g, which takes longer than all else here.
    local expiry = format("%d", (ttl < EXACT and ttl or EXACT) + linger)
    local value = pack(STATE, definition, used[b], since[b], unsettled[b])
    if before ~= 0 or block ~= 0 or others ~= "" then value = value .. pack(MORE, before, block) .. others end
    call("PSETEX", key, expiry, value)
    if kind.save then kind.save(b, list_key(b), expiry) end
  else
    call("DEL", key)
  end
  if (kind.save or had_list[b]) and not (kind.save and is_kept) then call("DEL", list_key(b)) end
end

for b = 1, budgets do
  -- What has turned out to be foreign, for its list is, was carried over in vain.
  if changed[b] and not foreign[b] then save(b) end
end
