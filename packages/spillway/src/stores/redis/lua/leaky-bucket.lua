-- Leaky bucket: a token bucket seen from the other side; starts that were promised stand.
makers[2] = function()
  local token_bucket = kinds[1]
  local bucket = {}
  for name, step in pairs(token_bucket) do bucket[name] = step end

  function bucket.settle(state, plan, reserved, used)
    token_bucket.settle(state, plan, reserved, math.max(reserved, used))
  end

  return bucket
end
