-- Writes a state and its shares.
-- Reads  b, plan_of, used_of, since_of, unsettled_of, before_of, shares_of, lent_of, text_of, now,
--        linger
-- Sets   problem, if the server refuses writes
local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
local definition, kind, marks, reset_after, text = plan.definition, plan.base, 0, nil, nil
local shares, noted = shares_of[b], nil
local is_lent = shares and shares[1]
if is_lent and kind == TOKEN_BUCKET then
  local held = lent_of[b] * plan.ticks_per_unit
  --include shares-reset-after.lua
else
  --include any-reset-after.lua
end
local written, expiry
if reset_after <= 0 then
  written = try("DEL", KEYS[b])
else
  --include encode.lua
  --include expiry.lua
  if is_lent then
    text = text .. (text_of[b] or pack(rep(SHARE, #shares / SHARE_WIDTH), unpack(shares)))
  end
  written = try("PSETEX", KEYS[b], expiry, text)
end
-- DEL replies with a number.
if type(written) == "table" then problem = written.err end
