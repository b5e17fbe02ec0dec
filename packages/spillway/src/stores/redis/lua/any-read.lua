-- Decodes a value, of any `kind` that keeps no list. Most have the short form: see encode.lua.
-- Reads  kind, plan, definition, now, value
-- Sets   used, since, unsettled, before; kept, until when the key is kept, if that is known;
--        is_plain, false if something is unusual
local reset_after, head, marks = nil, nil, nil
if #value == plan.bytes then head, marks, since, used, kept = unpack_bytes(plan.numbers, value) end
if head == definition and marks == 0 then
  unsettled = used
elseif find(value, definition, 1, true) == 1 then
  local at = #definition + 1
  kept = nil
  --include decode.lua
  is_plain = at == #value + 1
else
  is_plain = false
end
if kind >= FIXED_WINDOW and is_plain then
  -- A window's key is kept until the units used are gone.
  --include any-reset-after.lua
  kept = reset_after > 0 and now + reset_after or nil
end
