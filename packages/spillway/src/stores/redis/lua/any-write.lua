-- Writes a state with something used, of any `kind` that keeps no list.
-- Reads  b, kind, plan, now, linger, used, since, unsettled, before
-- Sets   problem, if the server refuses writes
local definition, marks, reset_after, text = plan.definition, 0, nil, nil
--include any-reset-after.lua
--include encode.lua
--include expiry.lua
local written = try("PSETEX", KEYS[b], expiry, text)
problem = problem or written.err
