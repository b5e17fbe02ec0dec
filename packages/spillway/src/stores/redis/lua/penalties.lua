-- Penalties: a key that is refused again and again is blocked, for a time that doubles. The
-- specification is `penalties.ts`.
-- Reads  steps, penalty_at, plan_of, foreign, block, now
-- Sets   penalize; record_of, blocked, changed

-- The highest level.
local MOST_LEVEL = 35

-- Returns a record after one more refusal that counts. What counts no more is left out.
local function after_refusal(b, within)
  local refusals, over, level, forgotten = unpack(record_of[b] or { 0, 0, 0, 0 })
  if over <= now then refusals = 0 end
  if refusals == 0 then over = now + within end
  if forgotten <= now then level, forgotten = 0, 0 end
  return { refusals + 1, over, level, forgotten }
end

-- Counts the refusal of one budget, and blocks it if that is one too many. The answer depends on no more
-- of a list then: at the end of the block, the same entries decide.
local function count_refusal(b)
  local _, after, within, length, longest = unpack(steps, penalty_at[b], penalty_at[b] + FIELDS[PENALTY] - 1)
  if after == 0 or (blocked[b] or 0) > now then return end
  local record, plan = after_refusal(b, within), plan_of[b]
  record_of[b], changed[b] = record, true
  if record[1] < after then return end
  block(b, plan, plan.algorithm, min(length * 2 ^ record[3], longest))
  record_of[b] = { 0, blocked[b], min(record[3] + 1, MOST_LEVEL), blocked[b] + longest }
end

-- Counts the refusals of one step. If one of its budgets is not ours, the whole step fails.
function penalize(refused)
  for _, b in ipairs(refused) do
    if foreign[b] then return end
  end
  for _, b in ipairs(refused) do
    if penalty_at[b] then count_refusal(b) end
  end
end
