-- The server refuses writes, for the reason in `problem`. It has refused all of them, because the
-- first write of a script decides. So the reply is right, but nothing was charged. `charged` is
-- below 0, a number for the reason.
-- Reads  problem
-- Sets   charged
local text = type(problem) == "table" and problem.err or problem
charged = nil
for index, code in ipairs({ "OOM command", "NOREPLICAS ", "MISCONF " }) do
  if find(text, code, 1, true) then charged = -index end
end
if not charged then error(problem, 0) end
