-- What was asked, step by step.
local charged = 0

-- What a budget has spent, if it has what is asked of it; else nil.
local function admits(b, plan, kind, needs, most)
  if foreign[b] or blocked[b] and blocked[b] > now then return nil end
  local spent = kind.spent(b, plan)
  return spent + needs <= most and spent or nil
end

local function take_one(b)
  local plan = plan_of[b]
  local kind = kinds[plan.kind]
  local spent = admits(b, plan, kind, plan.scale, plan.full)
  if not spent then return end
  kind.charge(b, plan, 1, spent)
  charged, changed[b] = charged + 1, changed[b] or plan.kind
end

if ARGV[5] == "" then
  for b = 1, budgets do take_one(b) end
else
  local steps = cjson.decode(ARGV[5])

  -- Takes from all budgets of the step at `at`, or from none. Returns where it ends.
  local function take_all(at)
    local last, spent = at + 1 + 3 * steps[at + 1], {}
    for ask = at + 2, last, 3 do
      local b = steps[ask]
      local plan = plan_of[b]
      local most = steps[ask + 2] == 1 and plan.full + plan.spare or plan.full
      local needs = max(1, steps[ask + 1]) * plan.scale
      spent[ask] = admits(b, plan, kinds[plan.kind], needs, most)
      if not spent[ask] then return last end
    end
    for ask = at + 2, last, 3 do
      local b, count = steps[ask], steps[ask + 1]
      local plan = plan_of[b]
      if count > 0 then
        kinds[plan.kind].charge(b, plan, count, spent[ask])
        changed[b] = changed[b] or plan.kind
      end
      charged = charged + 1
    end
    return last
  end

  -- The other steps: each changes one state, if it is ours. Returns where it ends.
  local function change(at)
    local step, b = steps[at], steps[at + 1]
    local plan = plan_of[b]
    local kind = kinds[plan.kind]
    if not foreign[b] then
      if step == -2 then kind.settle(b, plan, steps[at + 2], steps[at + 3]) end
      if step == -3 then kind.begin(b, plan, 0, 0, now) end
      if step == -4 then blocked[b] = now + steps[at + 2] end
      if step == -5 then blocked[b] = nil end
      changed[b] = changed[b] or plan.kind
    end
    return step == -2 and at + 3 or step == -4 and at + 2 or at + 1
  end

  local at = 1
  while at <= #steps do
    local step = steps[at]
    if step > 0 then
      take_one(step)
    elseif step == -1 then
      at = take_all(at)
    else
      at = change(at)
    end
    at = at + 1
  end
end
