-- Steps that change one state. The script does not compute their answers.
-- Reads  plan_of, foreign, odd, until_of, begin_if_empty, now
-- Sets   used, since, unsettled, blocked, record_of, others_of, forgotten, changed; keep_lists, false if the reply
--        has its list already

-- Blocks from now, or from `since` if that is later. Ends a penalty in force. Also brings what was used
-- to now. So a clock that steps back moves the block back by as much as the state.
local function block(b, plan, kind, ms)
  kind.advance(b, plan)
  -- The end of leases in flight follows from `since`, the instant at which the newest was taken.
  local stays = kind.is_aligned or kind.holds_leases and used[b] > 0
  if not stays then since[b] = max(since[b], now) end
  blocked[b] = max(since[b], now) + ms
  local record = record_of[b]
  if record and record[1] == 0 then record_of[b] = { 0, 0, record[3], record[4] } end
end

-- Forgets the refusals of a record. A penalty in force stays, and so does the level.
local function forget_refusals(b)
  local refusals, over, level, forgotten = unpack(record_of[b] or { 0, 0, 0, 0 })
  if refusals > 0 or over <= now then over = 0 end
  if forgotten <= now then level, forgotten = 0, 0 end
  record_of[b] = (over > 0 or level > 0) and { 0, over, level, forgotten } or nil
end

-- Forgets what was used of a state with lent units. Returns false if none are lent.
local function stays_lent(b, plan)
  return plan.algorithm.forget and plan.algorithm.forget(b, plan)
end

local function reset(b, plan, kind)
  if blocked[b] and blocked[b] <= now then blocked[b] = nil end
  forget_refusals(b)
  local lent = {}
  for _, other in ipairs(others_of[b] or {}) do
    if until_of[other] > now and stays_lent(other, plan_of[other]) then lent[#lent + 1] = other
    else forgotten[#forgotten + 1] = list_of[other]
    end
  end
  others_of[b] = #lent > 0 and lent or nil
  if not stays_lent(b, plan) then kind.begin(b, plan, 0, 0, now) end
end

-- Puts a plan in place of the budget's own. The list of the state before it is shown first, because
-- the other plan may move or forget it.
local function begin_override(b, kind, number, ms)
  if kind.show then kind.show(b, reply) end
  keep_lists = false
  override(b, plans[number], ms)
end

-- Changes one state, unless it is foreign.
local function change(step, b, first, second)
  local plan = plan_of[b]
  local kind = plan.algorithm
  if foreign[b] then return end
  if odd then begin_if_empty(b, plan) end
  if step == SETTLE then kind.settle(b, plan, first, second)
  elseif step == RESET then reset(b, plan, kind)
  elseif step == BLOCK then block(b, plan, kind, first)
  elseif step == UNBLOCK then blocked[b], record_of[b] = nil, nil
  elseif step == OVERRIDE then begin_override(b, kind, first, second)
  elseif step == RELEASE and kind.holds_leases then kind.release(b, plan, first, second)
  elseif step == RENEW and kind.holds_leases then kind.renew(b, plan, first, second)
  end
  -- A state with nothing used begins anew at now, although the clock stepped back.
  if odd then begin_if_empty(b, plan_of[b]) end
  changed[b] = true
end
