-- Encodes a state with something used, of any `kind` that keeps no list. If its key is kept for long
-- enough already, its time stays: that halves the work of a write. A bucket's key is kept for a
-- quarter longer than needed, so that the time may stay for some of the next units.
-- Reads  kind, plan, now, linger, used, since, unsettled, before, kept
-- Sets   text; expiry, nil if the key's time stays
local definition, marks, reset_after, stays, noted, text, expiry = plan.definition, 0, nil, false, nil, nil, nil
--include any-reset-after.lua
if linger == 0 then stays = kept and now + reset_after <= kept end
if kind < FIXED_WINDOW and used < 16777216 and unsettled == used then
  if linger == 0 and not stays then
    reset_after = reset_after + floor(reset_after / 4)
    kept = now + reset_after
  end
  noted = kept or now
end
--include encode.lua
if not stays then
  --include expiry.lua
end
