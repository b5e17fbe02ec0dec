-- Computes the milliseconds until nothing is used of a state at now, of any `kind` that keeps no
-- list.
-- Reads  kind, plan, now, used, since, before
-- Sets   reset_after
if kind < FIXED_WINDOW then
  --include bucket-reset-after.lua
elseif kind == FIXED_WINDOW then
  --include fixed-window-reset-after.lua
else
  --include sliding-window-reset-after.lua
end
