-- Writes changed states, and deletes those that equal a fresh key. With a clock for tests it does
-- not delete them if they hold a used unit, a block or a penalty record. Such a clock may step back to
-- when these counted, while other stores still know of them.
-- Reads  changed, foreign, forgotten, plan_of, the states, now, linger
-- Sets   charged, if the server refuses writes

-- Encodes a value: its numbers, then the rare parts.
local function encode(b, others)
  local definition, used, since, unsettled = plan_of[b].definition, used[b], since[b], unsettled[b]
  local before, block, marks, rare, text, apart, inline = previous[b], blocked[b] or 0, 0, "", nil, "", ""
  local kind, noted = plan_of[b].algorithm, nil
  if kind.divide then apart, inline = kind.divide(b) end
  if block ~= 0 then marks, rare = HAS_BLOCK, pack(BLOCK_END, block) end
  if others ~= "" then marks, rare = marks + HAS_OTHERS, rare .. pack(OTHERS, #others, others) end
  if apart ~= "" then marks, rare = marks + HAS_APART, rare .. apart end
  --include encode.lua
  return text .. rare .. inline
end

local function save(b)
  local plan, key, others, time_of_others = plan_of[b], KEYS[b], "", 0
  local before, block = previous[b] or 0, blocked[b] or 0
  local reset_after, record = plan.algorithm.reset_after(b, plan), record_of[b]
  local time_of_record = record and max(record[2], record[4]) - now or 0
  if record and time_of_record <= 0 and linger == 0 then record_of[b] = nil end
  if others_of[b] or overridden[b] then others, time_of_others = encode_others(b)
  elseif record_of[b] then others = cmsgpack.pack({ record_of[b] })
  end
  reset_after = max(reset_after, block - now, time_of_others, time_of_record)
  if not (reset_after > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0 or record)) then
    if list_of[b] and list_of[b].is_apart then call("UNLINK", list_of[b].key) end
    return call("DEL", key)
  end
  local expiry
  --include expiry.lua
  call("PSETEX", key, expiry, encode(b, others))
  if plan.algorithm.write then plan.algorithm.write(b, expiry) end
  if others_of[b] then write_others(b, expiry) end
end

local function save_all()
  for b = 1, budgets do
    -- A state whose list turned out to be foreign is not written, even if it was migrated.
    if changed[b] and not foreign[b] then save(b) end
  end
  for _, list in ipairs(forgotten) do
    if list.is_apart then call("UNLINK", list.key) end
  end
end

local is_written, problem = pcall(save_all)
if not is_written then
  --include unwritten.lua
end
