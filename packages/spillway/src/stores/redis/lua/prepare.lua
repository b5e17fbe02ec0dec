-- Prepares states for the steps: begins fresh ones, reads lists, and lets definitions.lua handle
-- odd ones.
-- Reads  fresh, odd, keep_lists, plan_of, now
-- Sets   the states; foreign; what definitions.lua and the kinds' lists set

-- MGET returns nil for a key of another type. A write would destroy data that is not ours.
for first = 1, #fresh, MOST_ARGUMENTS do
  local last, keys = min(first + MOST_ARGUMENTS - 1, #fresh), {}
  for index = first, last do keys[#keys + 1] = KEYS[fresh[index]] end
  if call("EXISTS", unpack(keys)) > 0 then
    for index = first, last do
      if call("EXISTS", KEYS[fresh[index]]) == 1 then reject(fresh[index]) end
    end
  end
end
for _, b in ipairs(fresh) do
  if not foreign[b] then plan_of[b].algorithm.begin(b, plan_of[b], 0, 0, now) end
end
if odd then
  --include definitions.lua
  for _, b in ipairs(odd) do reconcile(b, plan_of[b]) end
end
for b = 1, keep_lists and budgets or 0 do
  local plan = plan_of[b]
  if plan.algorithm.load and not foreign[b] then
    if not list_of[b] then plan.algorithm.load(b, plan) end
    if not foreign[b] then plan.algorithm.see(b, plan) end
  end
end
