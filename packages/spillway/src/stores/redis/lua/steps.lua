-- What was asked, step by step.
local charged = 0

-- Follows what the steps before have left, where the clock is back: what says nothing begins now.
local follow = odd and function(b, plan)
  local is_fresh = since[b] > now and used[b] == 0 and (previous[b] or 0) == 0
  if is_fresh and (blocked[b] or 0) <= now then kinds[plan.kind].begin(b, plan, 0, 0, now) end
end

-- What a budget has spent, if it has what is asked of it; else nil.
local function admits(b, plan, kind, needs, most)
  if foreign[b] or blocked[b] and blocked[b] > now then return nil end
  local spent = kind.spent(b, plan)
  return spent + needs <= most and spent or nil
end

local function take_one(b)
  local plan = plan_of[b]
  local kind = kinds[plan.kind]
  if follow then follow(b, plan) end
  local spent = admits(b, plan, kind, plan.scale, plan.full)
  if not spent then return end
  kind.charge(b, plan, 1, spent)
  if others_of[b] then share(b, plan, 1, 0) end
  charged, changed[b] = charged + 1, true
end

if not steps then
  for b = 1, budgets do take_one(b) end
else
  -- Takes from all budgets of the step at `at`, or from none. Returns where it ends.
  local function take_all(at)
    local last, spent = at + 1 + ASK * steps[at + 1], {}
    for ask = at + 2, last, ASK do
      local b, count, reserve, headroom = unpack(steps, ask, ask + 3)
      local plan = plan_of[b]
      if follow then follow(b, plan) end
      local most = reserve == 1 and plan.full + plan.spare or plan.full
      local needs = max(1, count) * plan.scale + headroom
      spent[ask] = admits(b, plan, kinds[plan.kind], needs, most)
      if not spent[ask] then return last end
    end
    for ask = at + 2, last, ASK do
      local b, count = steps[ask], steps[ask + 1]
      local plan = plan_of[b]
      if count > 0 then
        kinds[plan.kind].charge(b, plan, count, spent[ask], steps[ask + 4])
        if others_of[b] then share(b, plan, count, steps[ask + 4]) end
        changed[b] = true
      end
      charged = charged + 1
    end
    return last
  end

  -- From now; while time stands still for the state, from when it goes on. What was used is brought to now
  -- as well, so that a clock that goes back takes the block back with it, and not by less.
  local function block(b, plan, kind, ms)
    kind.settle(b, plan, 0, 0)
    -- Windows stay on their grid, and leases in flight end by when the newest of them was taken.
    local stays = plan.kind == FIXED_WINDOW or plan.kind == SLIDING_WINDOW or plan.kind == CONCURRENCY and used[b] > 0
    if not stays then since[b] = max(since[b], now) end
    blocked[b] = max(since[b], now) + ms
  end

  -- What turned out to be used beyond an estimate counts under all definitions.
  local function settle(b, plan, kind, reserved, really_used)
    kind.settle(b, plan, reserved, really_used)
    local more = plan.kind ~= CONCURRENCY and really_used - reserved or 0
    if more > 0 and others_of[b] then share(b, plan, more, 0) end
  end

  local function release(b, plan, kind, lease, count)
    if others_of[b] then release_others(b, lease, count) end
    kind.release(b, plan, lease, count)
  end

  local function renew(b, plan, kind, lease, count)
    if kind.renew(b, plan, lease, count) and others_of[b] then renew_others(b, lease, count) end
  end

  -- The other steps: each changes one state, if it is ours. Returns where it ends.
  local function change(at)
    local step, b, one, other = steps[at], steps[at + 1], steps[at + 2], steps[at + 3]
    local plan = plan_of[b]
    local kind = kinds[plan.kind]
    if not foreign[b] then
      if follow then follow(b, plan) end
      if step == SETTLE then
        settle(b, plan, kind, one, other)
      elseif step == RESET then
        if blocked[b] and blocked[b] <= now then blocked[b] = nil end
        others_of[b] = nil
        kind.begin(b, plan, 0, 0, now)
      elseif step == BLOCK then
        block(b, plan, kind, one)
      elseif step == UNBLOCK then
        blocked[b] = nil
      elseif plan.kind == CONCURRENCY then
        (step == RELEASE and release or renew)(b, plan, kind, one, other)
      end
      changed[b] = true
    end
    return at + FIELDS[step]
  end

  local at = 1
  while at <= #steps do
    local step = steps[at]
    if step > 0 then
      take_one(step)
    elseif step == TAKE then
      at = take_all(at)
    else
      at = change(at)
    end
    at = at + 1
  end
end
