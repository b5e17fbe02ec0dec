-- Leaky bucket: a token bucket seen from the other side; starts that were promised stand.
local token_bucket = kinds[TOKEN_BUCKET]
local bucket = {}
for name, step in pairs(token_bucket) do bucket[name] = step end

function bucket.settle(b, plan, reserved, really_used)
  token_bucket.settle(b, plan, reserved, max(reserved, really_used))
end

kinds[LEAKY_BUCKET] = bucket
