-- The plans that were sent.
local sent, needed = {}, {}
for at = 6, #ARGV, 7 do
  local definition = ARGV[at] .. "\n"
  local kind = string.byte(definition) - 48
  needed[kind] = true
  sent[#sent + 1] = {
    definition = definition, length = #definition, kind = kind,
    scale = tonumber(ARGV[at + 1]), gain = tonumber(ARGV[at + 2]), full = tonumber(ARGV[at + 3]),
    spare = tonumber(ARGV[at + 4]), rate = tonumber(ARGV[at + 5]), period = tonumber(ARGV[at + 6]),
  }
end
