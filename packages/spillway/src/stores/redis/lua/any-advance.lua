-- Brings a state to now, of any `kind` that keeps no list. `ticks` are then used, and one more unit
-- adds `unit` to `used`.
-- Reads  kind, plan, now
-- Sets   used, since, unsettled, before; ticks, unit
local ticks, unit
if kind < FIXED_WINDOW then
  --include bucket-advance.lua
  ticks, unit = used, plan.ticks_per_unit
elseif kind == FIXED_WINDOW then
  --include fixed-window-advance.lua
  ticks, unit = used, 1
else
  --include sliding-window-advance.lua
  --include sliding-window-used.lua
  unit = 1
end
