-- Token bucket: `gain` parts drip back each millisecond.
local bucket = {}

function bucket.spent(b, plan)
  local left = used[b]
  local elapsed = now - since[b]
  if elapsed > 0 then left = left - elapsed * plan.gain end
  return left > 0 and left or 0
end

function bucket.charge(b, plan, count, spent)
  local taken, open = count * plan.scale, unsettled[b]
  used[b], unsettled[b] = spent + taken, (open < spent and open or spent) + taken
  if now > since[b] then since[b] = now end
end

function bucket.reset_after(b, plan)
  local spent = bucket.spent(b, plan)
  if spent == 0 then return 0 end
  local ahead, drip = since[b] - now, ceil(spent / plan.gain)
  return ahead > 0 and ahead + drip or drip
end

if more_than_one then
  function bucket.unsettled(b, plan)
    return min(unsettled[b], bucket.spent(b, plan))
  end

  function bucket.settle(b, plan, reserved, really_used)
    local spent, open = bucket.spent(b, plan), bucket.unsettled(b, plan)
    used[b], unsettled[b] = settled(spent, open, reserved, really_used, plan.scale)
    if now > since[b] then since[b] = now end
  end

  function bucket.begin(b, _, spent, open, at)
    used[b], since[b], previous[b], unsettled[b] = spent, at, nil, open
  end

  function bucket.inherit() return false end
end

kinds[TOKEN_BUCKET] = bucket
