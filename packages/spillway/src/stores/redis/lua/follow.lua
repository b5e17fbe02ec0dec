-- Makes states fit to be asked: fresh ones are begun, logs are read, what was written under another
-- definition of its limit is made that of this one, and what was written at an instant that is yet to
-- come is brought back.
local function log_key_of(key)
  return (string.gsub(key, ":{", "+{", 1))
end

-- Whether a kind keeps what was taken one by one, at a key of its own.
local function is_listed(kind)
  return kind == SLIDING_LOG or kind == CONCURRENCY
end

for _, b in ipairs(fresh or {}) do
  if foreign[b] then
    used[b], since[b], unsettled[b] = 0, 0, 0
  else
    kinds[plan_of[b].kind].begin(b, plan_of[b], 0, 0, now)
  end
end

if odd then
  --include others.lua

  -- Far back: the state goes with the clock, by whole windows, to the one that begins next. Else time
  -- stands still. What says nothing need not wait; a block does say something.
  local function go_back(b, plan)
    if is_far_ahead(b, plan) then rewind(b, plan) end
    if since[b] > now and used[b] == 0 and not previous[b] and (blocked[b] or 0) <= now then
      kinds[plan.kind].begin(b, plan, 0, 0, now)
    end
  end

  for b, definition in pairs(odd) do
    local plan, from = plan_of[b], plan_from(definition)
    kind_before[b] = from.kind
    open_others(b)
    if definition ~= plan.definition or since[b] > now then
      if is_listed(from.kind) then kinds[from.kind].load(b, from, log_key_of(KEYS[b]), -1) end
      if definition ~= plan.definition then turn_to(b, plan, from) end
      if since[b] > now then go_back(b, plan) end
      -- Kept, even by a look: what is brought to this instant must not be brought to it again.
      changed[b] = true
    end
  end
end

if needed[SLIDING_LOG] or needed[CONCURRENCY] then
  local place = budgets
  for b = 1, budgets do
    local plan = plan_of[b]
    if is_listed(plan.kind) then
      place = place + 1
      local known = plan.kind == SLIDING_LOG and log_of[b] or plan.kind == CONCURRENCY and leases_of[b]
      if values[b] == false and not foreign[b] then check_orphan(b, KEYS[place]) end
      if not known and not foreign[b] then kinds[plan.kind].load(b, plan, KEYS[place], extras[b]) end
    end
  end
end
