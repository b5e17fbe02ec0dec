-- Writes a state of which something is used, of whichever `kind` that keeps no list.
local definition, marks, reset_after, text = plan.definition, 0, nil, nil
--include any-reset-after.lua
--include encode.lua
--include expiry.lua
call("PSETEX", KEYS[b], expiry, text)
