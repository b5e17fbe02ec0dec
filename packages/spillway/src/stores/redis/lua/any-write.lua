-- Writes a state of which something is used, of whichever kind that keeps no list.
local definition, reset_after, text = plan.definition, nil, nil
if plan.kind == FIXED_WINDOW then
  --include fixed-window-reset-after.lua
elseif plan.kind == SLIDING_WINDOW then
  --include sliding-window-reset-after.lua
else
  --include bucket-reset-after.lua
end
local marks = 0
--include encode.lua
-- By %d: a number would be made text by %.17g, which takes longer than all else here.
call("PSETEX", KEYS[b], format("%d", min(reset_after, EXACT) + linger), text)
