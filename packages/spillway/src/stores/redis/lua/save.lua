local packed_others
if odd then
  local function packed_list(o)
    local list, kind = log_of[o] or leases_of[o], plan_of[o].kind
    if not is_listed(kind) then return "" end
    local texts = {}
    for _, entry in ipairs(list.entries) do
      -- A lease that was given back holds nothing.
      if entry[2] > 0 then
        texts[#texts + 1] = pack("<dd", entry[1], entry[2]) .. (kind == CONCURRENCY and pack("<d", entry[3]) or "")
      end
    end
    return pack("<I4", #texts) .. table.concat(texts)
  end

  -- The states under other definitions, and for how long any of them is kept.
  function packed_others(b)
    local texts, ttl = {}, 0
    for index, o in ipairs(others_of[b] or {}) do
      local numbers = pack(OTHER, used[o], since[o], unsettled[o], previous[o] or 0, until_of[o])
      texts[index] = plan_of[o].definition .. numbers .. packed_list(o)
      ttl = max(ttl, until_of[o] - now)
    end
    return table.concat(texts), ttl
  end
end

-- Writes what was changed; what equals a fresh key is forgotten. Not by a clock for tests: it may go back to
-- where units were used or the key was blocked, and other stores still know of it then.
local function save(b)
  local plan, key, others, ttl_of_others = plan_of[b], KEYS[b], "", 0
  local kind_was = kind_before[b] or plan.kind
  local before, block = previous[b] or 0, blocked[b] or 0
  local ttl = kinds[plan.kind].reset_after(b, plan)
  if others_of[b] then others, ttl_of_others = packed_others(b) end
  if ttl_of_others > ttl then ttl = ttl_of_others end
  if block - now > ttl then ttl = block - now end
  if ttl > EXACT then ttl = EXACT end
  local kept = ttl > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)
  if kept then
    -- By %d: the number itself would be made text by %.17g, which takes longer than all else here.
    local expiry = format("%d", ttl + linger)
    local value = plan.definition .. pack(NUMBERS, used[b], since[b], unsettled[b])
    if before ~= 0 or block ~= 0 or others ~= "" then value = value .. pack(MORE, before, block) .. others end
    call("PSETEX", key, expiry, value)
    if is_listed(plan.kind) then kinds[plan.kind].save(b, log_key_of(key), expiry) end
  else
    call("DEL", key)
  end
  if is_listed(kind_was) and not (is_listed(plan.kind) and kept) then
    call("DEL", log_key_of(key))
  end
end

for b in pairs(changed) do
  -- What has turned out to be none of ours, for its log is not, was carried over in vain.
  if not foreign[b] then save(b) end
end
