-- What is asked most of limits that lend, without functions: units, and draws, where no state has anything unusual
-- about it. Each state is brought to now as it is read, for the steps come at one instant. What is unusual is left
-- to the rest of the script; what each step means is in shares.lua.
local BASE = { [LENT_TOKEN_BUCKET] = TOKEN_BUCKET, [LENT_FIXED_WINDOW] = FIXED_WINDOW, [LENT_SLIDING_WINDOW] = SLIDING_WINDOW }
-- Numbers of a share: its instant, units and id.
local SHARE_WIDTH = 3
local rep, sub, remove = string.rep, string.sub, table.remove
local is_plain, fresh, reply, charged, more, problem = true, nil, { now, 0 }, 0, nil, nil
-- What a unit counts as in states of a plan; its kind, without that it lends.
for _, plan in ipairs(plans) do
  plan.base = BASE[plan.kind] or plan.kind
  plan.unit = plan.base == SLIDING_WINDOW and 1 or plan.ticks_per_unit
end
local plan_of, used_of, since_of, unsettled_of, before_of, ticks_of, changed = {}, {}, {}, {}, {}, {}, {}
-- Shares one after the other; units of all of them; and all as bytes, until they change.
local shares_of, lent_of, text_of = {}, {}, {}
-- Shares as they were, for the reply.
local seen = {}
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  local definition, kind, used, since, unsettled, before = plan.definition, plan.base, 0, now, 0, nil
  local shares, lent = nil, 0
  if not value then
    fresh = fresh or {}
    fresh[#fresh + 1] = KEYS[b]
    if kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
  elseif find(value, definition, 1, true) == 1 then
    local at = #definition + 1
    --include decode.lua
    if not at then
      is_plain = false
    elseif at <= #value then
      local count = (#value + 1 - at) / SHARE_BYTES
      if marks >= HAS_BLOCK or kind == plan.kind or count % 1 ~= 0 or count > MOST_SHARES then
        is_plain = false
        break
      end
      text_of[b] = sub(value, at)
      shares = { unpack_bytes(rep(SHARE, count), text_of[b]) }
      -- Where the rest begins.
      shares[#shares] = nil
      for index = 2, #shares, SHARE_WIDTH do lent = lent + shares[index] end
    end
  else
    is_plain = false
  end
  -- Where nothing comes back, how long a state is kept has no formula.
  if since > now or plan.rate == 0 or kind >= SLIDING_LOG then is_plain = false end
  if not is_plain then break end
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
  if before then
    more = more or {}
    local last = #more
    more[last + 1], more[last + 2], more[last + 3] = b, before, 0
  end
  if kind ~= plan.kind then
    local last = #seen + 1
    seen[last] = shares and #shares / SHARE_WIDTH or 0
    for index = 1, shares and #shares or 0 do seen[last + index] = shares[index] end
  end
  if shares and kind == TOKEN_BUCKET then
    local refill_per_ms, ticks_per_unit, index = plan.refill_per_ms, plan.ticks_per_unit, 1
    local ticks = lent * ticks_per_unit
    while index < #shares and shares[index] <= now do
      local instant = shares[index]
      if instant > since then
        used, since = max(ticks, used - (instant - since) * refill_per_ms), instant
      end
      ticks, index = ticks - shares[index + 1] * ticks_per_unit, index + SHARE_WIDTH
    end
    used, since = max(ticks, used - (now - since) * refill_per_ms), now
    unsettled, ticks_of[b] = min(unsettled, used - ticks), used
  else
    --include any-advance.lua
    ticks_of[b] = ticks
  end
  while shares and shares[1] and shares[1] <= now do
    lent, text_of[b] = lent - shares[2], nil
    for _ = 1, SHARE_WIDTH do remove(shares, 1) end
  end
  plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b] = plan, used, since, unsettled, before
  shares_of[b], lent_of[b] = shares, lent
end
-- MGET shows a key of another type as missing.
if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end

if is_plain then
  -- Without steps a unit is taken of each budget. A step takes a unit, or draws.
  local at, last = 1, steps and #steps or budgets
  while at <= last do
    local b, count, reserve, id, want, left, back = steps and steps[at] or at, 1, 0, 0, 0, 0, 0
    if b == DRAW then
      b, count, reserve, id, want, left, back = unpack(steps, at + 1, at + 7)
      at = at + 7
    end
    local plan, shares = plan_of[b], shares_of[b]
    local unit, ticks_per_unit = plan.unit, plan.ticks_per_unit
    -- What a holder says of its shares.
    for said = 1, left + back do
      local said_id, units, comes_back = steps[at + 1], steps[at + 2], said > left
      at, changed[b] = at + 2, true
      for index = SHARE_WIDTH, shares and #shares or 0, SHARE_WIDTH do
        if shares[index] == said_id then
          local before = shares[index - 1]
          local unused = min(before, units)
          local stays = comes_back and 0 or unused
          shares[index - 1], lent_of[b], text_of[b] = stays, lent_of[b] - before + stays, nil
          if stays == 0 then
            for _ = 1, SHARE_WIDTH do remove(shares, index - 2) end
          end
          if comes_back then
            used_of[b], ticks_of[b] = used_of[b] - unused * unit, ticks_of[b] - unused * ticks_per_unit
          end
          unsettled_of[b] = unsettled_of[b] + (before - unused) * unit
          break
        end
      end
    end
    at = at + 1
    local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
    if ticks_of[b] + max(1, count) * ticks_per_unit <= most then
      local ticks = ticks_of[b] + count * ticks_per_unit
      local used, units = used_of[b] + count * unit, 0
      if plan.share and want > 0 and (shares and #shares or 0) < SHARE_WIDTH * MOST_SHARES then
        local half = floor(plan.capacity_ticks / ticks_per_unit / 2)
        units = min(want, ceil(floor((plan.capacity_ticks - ticks) / ticks_per_unit) / 2), half - lent_of[b])
      end
      if units > 0 then
        shares = shares or {}
        local instant, more_units = now + plan.share, units
        if plan.base ~= TOKEN_BUCKET then instant = min(instant, since_of[b] + plan.period) end
        -- Where `share` has become shorter, the list is kept in order: later is safe.
        if shares[1] then instant = max(instant, shares[#shares - 2]) end
        for index = #shares, SHARE_WIDTH, -SHARE_WIDTH do
          if shares[index] == id then
            more_units = units + shares[index - 1]
            for _ = 1, SHARE_WIDTH do remove(shares, index - 2) end
          end
        end
        local end_of = #shares
        shares[end_of + 1], shares[end_of + 2], shares[end_of + 3] = instant, more_units, id
        shares_of[b], lent_of[b], text_of[b] = shares, lent_of[b] + units, nil
        used, ticks = used + units * unit, ticks + units * ticks_per_unit
      else
        units = 0
      end
      used_of[b], ticks_of[b], unsettled_of[b] = used, ticks, unsettled_of[b] + count * unit
      changed[b], charged = true, charged + 1 + units
    end
  end
  for b = 1, budgets do
    if changed[b] then
      local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
      local definition, kind, marks, reset_after, text = plan.definition, plan.base, 0, nil, nil
      local shares = shares_of[b]
      local is_lent = shares and shares[1]
      if is_lent and kind == TOKEN_BUCKET then
        local refill_per_ms, ticks_per_unit = plan.refill_per_ms, plan.ticks_per_unit
        local missing, instant, ticks = used, now, lent_of[b] * ticks_per_unit
        for index = 1, #shares, SHARE_WIDTH do
          missing = max(ticks, missing - (shares[index] - instant) * refill_per_ms)
          instant, ticks = shares[index], ticks - shares[index + 1] * ticks_per_unit
        end
        reset_after = instant + ceil(missing / refill_per_ms) - now
      else
        --include any-reset-after.lua
      end
      if reset_after <= 0 then
        call("DEL", KEYS[b])
      else
        --include encode.lua
        --include expiry.lua
        if is_lent then
          text = text .. (text_of[b] or pack(rep(SHARE, #shares / SHARE_WIDTH), unpack(shares)))
        end
        local written = try("PSETEX", KEYS[b], expiry, text)
        problem = written.err
        if problem then break end
      end
    end
  end
  if problem then
    --include unwritten.lua
  end
  reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / 3 or 0
  for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
  for at = 1, #seen do reply[#reply + 1] = seen[at] end
  return reply
end
