-- The plans that were sent. What only some need stays text, which arithmetic reads as well.
local sent, needed = {}, {}
for at = 6, #ARGV, 7 do
  local definition = ARGV[at] .. "\n"
  local kind = string.byte(definition) - 48
  needed[kind] = true
  local plan = {
    definition = definition, length = #definition, kind = kind,
    scale = tonumber(ARGV[at + 1]), gain = tonumber(ARGV[at + 2]), full = tonumber(ARGV[at + 3]),
    spare = ARGV[at + 4], rate = ARGV[at + 5], period = ARGV[at + 6],
  }
  if kind >= FIXED then plan.rate, plan.period = tonumber(plan.rate), tonumber(plan.period) end
  sent[#sent + 1] = plan
end
