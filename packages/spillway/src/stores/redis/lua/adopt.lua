-- States that were written under another definition of their limit, and clocks that went back.

-- Parts of one plan as parts of another, rounded up.
local function convert(parts, from, to)
  if from.scale == to.scale then return parts end
  local units = math.floor(parts / from.scale)
  local rest = (parts - units * from.scale) / from.scale
  return units * to.scale + math.min(to.scale, math.ceil(rest * to.scale))
end

-- Carries a state over from the plan it was written under: what was used stays used.
local function adopt(state, plan, from)
  local old, new = kinds[from.kind], plan.algorithm
  local before = old.spent(state, from)
  local debt = convert(math.max(0, before - from.full), from, plan)
  local most = plan.full + math.min(debt, plan.spare)
  local spent = convert(before, from, plan)
  local same = plan.kind == from.kind and new.inherits(plan, from)
  if same and spent <= most then return end
  local kept = math.min(spent, most)
  local unsettled = math.min(kept, convert(old.unsettled(state, from), from, plan))
  new.begin(state, plan, kept, unsettled, state.anchor, math.max(now, state.since))
end

-- Brings a state back that is ahead of the clock, by whole windows where there are any.
local function rewind(state, plan)
  local grid = is_windowed(plan.kind) and plan.period or 1
  local ms = math.ceil((state.since - now) / grid) * grid
  state.since = state.since - ms
  state.blocked = math.max(0, state.blocked - ms)
  if not state.log then return end
  for _, entry in ipairs(state.log) do entry[1] = entry[1] - ms end
  state.rewrite = true
end

-- Where the clock went back: far, with the state; less, time stands still for what was used.
local function go_back(state, plan)
  if state.since - now >= plan.period then
    rewind(state, plan)
  elseif state.used == 0 and state.previous == 0 then
    plan.algorithm.begin(state, plan, 0, 0, state.anchor, now)
  end
end
