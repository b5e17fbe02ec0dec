-- Adds to the reply, for budgets with lists, the parts of each list that the answers depend on.
-- Reads  keep_lists, plan_of, foreign
-- Sets   reply
for b = 1, keep_lists and budgets or 0 do
  local kind = plan_of[b].algorithm
  if kind.show and not foreign[b] then kind.show(b, reply) end
end
