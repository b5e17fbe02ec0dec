-- The server refuses writes, for the reason in `problem`. It has refused all of them, because the
-- first write of a script decides. So the reply is right, but nothing was charged. `charged` is
-- below 0, a number for the reason. READONLY stays an error, as of any command: a replica's data
-- may be old, and clients look for the new primary if an error begins with this code.
-- Reads  problem
-- Sets   charged
local text = type(problem) == "table" and problem.err or problem
charged = nil
for index, code in ipairs({ "OOM command", "NOREPLICAS ", "MISCONF " }) do
  if find(text, code, 1, true) then charged = -index end
end
local read_only = find(text, "READONLY ", 1, true)
if read_only then return { err = string.sub(text, read_only) } end
if not charged then error(problem, 0) end
