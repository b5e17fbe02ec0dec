-- Decodes a state and its shares.
-- Reads  b, plan, value, now, anchors
-- Sets   used, since, unsettled, before, shares, lent, text_of; fresh, if there is no value;
--        is_plain, false if something is unusual
local definition, kind, used, since, unsettled, before = plan.definition, plan.base, 0, now, 0, nil
local shares, lent, count = nil, 0, 0
if not value then
  fresh = fresh or {}
  fresh[#fresh + 1] = KEYS[b]
  if kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
elseif find(value, definition, 1, true) == 1 then
  local at = #definition + 1
  --include decode.lua
  -- Until when the key of a bucket is kept.
  if kind == plan.kind and kind < FIXED_WINDOW and at == #value - 5 then at = #value + 1 end
  if at then count = (#value + 1 - at) / SHARE_BYTES end
  is_plain = at and (count == 0 or marks < HAS_BLOCK and kind ~= plan.kind and count % 1 == 0 and count <= MOST_SHARES)
  if is_plain and count > 0 then
    text_of[b] = sub(value, at)
    shares = { unpack_bytes(rep(SHARE, count), text_of[b]) }
    -- The last result of unpack is the position of the rest, not a share.
    shares[#shares] = nil
    for index = 2, #shares, SHARE_WIDTH do lent = lent + shares[index] end
  end
else
  is_plain = false
end
-- If nothing comes back, there is no formula for how long a state is kept.
if since > now or plan.rate == 0 or kind >= SLIDING_LOG then is_plain = false end
