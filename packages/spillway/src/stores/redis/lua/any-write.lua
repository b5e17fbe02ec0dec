-- Writes a state of which something is used, of whichever `kind` that keeps no list.
local definition, marks, reset_after, text = plan.definition, 0, nil, nil
--include any-reset-after.lua
--include encode.lua
--include expiry.lua
local written = try("PSETEX", KEYS[b], expiry, text)
problem = problem or written.err
