-- The most frequent request: a unit of one bucket for each key, if no state has anything unusual.
-- It comes without JSON, which takes as long as the rest, and is decided and encoded without tables
-- of states. Everything else is left to the rest of the script.
--
-- Reads  names, budgets, now, linger
-- Sets   values, for later code; else it returns the reply
local definition, unit, refill_per_ms, capacity = ARGV[2], ARGV[3] + 0, ARGV[4] + 0, ARGV[5] + 0
local at, is_plain, charged, used, since, kept = #definition + 1, true, 0, 0, now, nil
local text, expiry, written, problem
if budgets == 1 then
  --include unit-one.lua
else
  --include unit-each.lua
end
