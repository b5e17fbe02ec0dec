-- Writes what was changed; what equals a fresh key is forgotten.
local function save(b, kind_before)
  local plan, key = plan_of[b], KEYS[b]
  local before, block = previous[b] or 0, blocked[b] or 0
  local ttl = kinds[plan.kind].reset_after(b, plan)
  if block - now > ttl then ttl = block - now end
  if ttl > EXACT then ttl = EXACT end
  if ttl > 0 then
    -- By %d: the number itself would be made text by %.17g, which takes longer than all else here.
    local expiry = format("%d", ttl + linger)
    local value = plan.definition .. pack(NUMBERS, used[b], since[b], unsettled[b])
    if before ~= 0 or block ~= 0 then value = value .. pack(MORE, before, block) end
    call("PSETEX", key, expiry, value)
    if is_listed(plan.kind) then kinds[plan.kind].save(b, log_key_of(key), expiry) end
  else
    call("DEL", key)
  end
  if is_listed(kind_before) and not (is_listed(plan.kind) and ttl > 0) then
    call("DEL", log_key_of(key))
  end
end

for b, kind_before in pairs(changed) do
  -- What has turned out to be none of ours, for its log is not, was carried over in vain.
  if not foreign[b] then save(b, kind_before) end
end
