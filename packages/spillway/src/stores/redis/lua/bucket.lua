local bucket = { is_reservable = true }

local function greatest_divisor(one, other)
  while other ~= 0 do one, other = other, one % other end
  return one
end

function bucket.define(plan)
  local shared = greatest_divisor(plan.rate, plan.period)
  plan.ticks_per_unit, plan.refill_per_ms = plan.period / shared, plan.rate / shared
end

function bucket.used(b, plan)
  local used, since, unsettled = used[b], since[b], 0
  --include bucket-advance.lua
  return used
end

local all_used, all_since, all_unsettled = used, since, unsettled
function bucket.advance(b, plan)
  local used, since, unsettled = used[b], since[b], unsettled[b]
  --include bucket-advance.lua
  all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
end

function bucket.reset_after(b, plan)
  local used, since, unsettled, reset_after = used[b], since[b], 0, nil
  --include bucket-advance.lua
  --include bucket-reset-after.lua
  return reset_after
end
