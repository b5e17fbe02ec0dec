-- Milliseconds until nothing of a state that was brought to now is used, of whichever `kind` that keeps no list.
-- Reads  kind, plan, now, used, since, before
-- Sets   reset_after
if kind < FIXED_WINDOW then
  --include bucket-reset-after.lua
elseif kind == FIXED_WINDOW then
  --include fixed-window-reset-after.lua
else
  --include sliding-window-reset-after.lua
end
