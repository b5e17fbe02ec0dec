-- Brings a state to now, of whichever kind that keeps no list. Then so many `ticks` are used.
local ticks
if plan.kind == FIXED_WINDOW then
  --include fixed-window-advance.lua
  ticks = used
elseif plan.kind == SLIDING_WINDOW then
  --include sliding-window-advance.lua
  --include sliding-window-used.lua
else
  --include bucket-advance.lua
  ticks = used
end
