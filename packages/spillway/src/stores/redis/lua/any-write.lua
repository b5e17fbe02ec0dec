-- Writes a state of which something is used, of whichever kind that keeps no list.
local definition, marks, reset_after, text = plan.definition, 0, nil, nil
if plan.kind < FIXED_WINDOW then
  --include bucket-reset-after.lua
elseif plan.kind == FIXED_WINDOW then
  --include fixed-window-reset-after.lua
else
  --include sliding-window-reset-after.lua
end
--include encode.lua
--include expiry.lua
call("PSETEX", KEYS[b], expiry, text)
