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
  local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
  --include bucket-advance.lua
  return used
end

local all_used, all_since, all_unsettled = used, since, unsettled
function bucket.advance(b, plan)
  local used, since, unsettled, refill_per_ms = used[b], since[b], unsettled[b], plan.refill_per_ms
  --include bucket-advance.lua
  all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
end

function bucket.reset_after(b, plan)
  local used, since, unsettled, refill_per_ms = used[b], since[b], 0, plan.refill_per_ms
  --include bucket-advance.lua
  return used == 0 and 0 or since - now + ceil(used / refill_per_ms)
end
