/** The Lua files beside this one, as `npm run embed` puts them together. Not for editing. */
export const SCRIPT = {
  sha1: "90d450d6d5fe98402fe35416260d2973c97af96e",
  source: `local pack, unpack_bytes, format, find, byte = struct.pack, struct.unpack, string.format, string.find, string.byte
local call, min, max, floor, ceil = redis.call, math.min, math.max, math.floor, math.ceil
local EXACT = 4503599627370496
local MOST_ARGUMENTS = 4000
local NO_LEASE = 0
local TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, LEAKY_BUCKET, CONCURRENCY, LENT_TOKEN_BUCKET, LENT_FIXED_WINDOW, LENT_SLIDING_WINDOW, TAKE, SETTLE, RESET, BLOCK, UNBLOCK, RELEASE, RENEW, DRAW, TAKE_UNITS, LOOK, SHOW, ASK, REPLY_HEAD, REPLY_STATE, REPLY_MORE, REPLY_ENTRY, REPLY_LEASE, REPLY_CHARGED = 1, 3, 4, 5, 2, 6, 7, 8, 9, -1, -2, -3, -4, -5, -6, -7, -11, -8, -9, -10, 5, 2, 3, 3, 2, 3, 2
local now, linger = tonumber(ARGV[3]), 3600000
if not now then
  local time = call("TIME")
  now, linger = time[1] * 1000 + floor(time[2] / 1000), 0
end
local ALL_SETTLED, SOME_SETTLED, HAS_PREVIOUS, HAS_BLOCK, HAS_OTHERS, HAS_APART = 4, 8, 16, 32, 64, 128
local BLOCK_END = "<I7"
local OTHERS = "<I4c0"
local APART = "<I4i7i6"
local SHARE, SHARE_BYTES, MOST_SHARES = "<i6I4I7", 17, 256
local band = bit.band
local function plan_from(definition, kind, rate, period, ticks_per_unit, refill_per_ms, capacity_ticks, debt_ticks, share)
  return {
    definition = definition, kind = kind, rate = rate, period = period, ticks_per_unit = ticks_per_unit,
    refill_per_ms = refill_per_ms, capacity_ticks = capacity_ticks, debt_ticks = debt_ticks, share = share,
  }
end
local plans, request = cjson.decode(ARGV[1]), nil
for index = 1, #plans do plans[index] = plan_from(unpack(plans[index])) end
if ARGV[2] and ARGV[2] ~= "" then request = cjson.decode(ARGV[2]) end
local budgets = #KEYS
local values = call("MGET", unpack(KEYS, 1, min(budgets, MOST_ARGUMENTS)))
for first = MOST_ARGUMENTS + 1, budgets, MOST_ARGUMENTS do
  local chunk = call("MGET", unpack(KEYS, first, min(first + MOST_ARGUMENTS - 1, budgets)))
  for index = 1, #chunk do values[first + index - 1] = chunk[index] end
end
local owners, anchors, steps
if request then owners, anchors, steps = request.owners, request.anchors, request.steps end
if not request or request.takes_units then
  local is_plain, fresh, reply, charged, more = true, nil, { now, 0 }, 0, nil
  local before_of, plan_of, used_of, since_of, unsettled_of, changed = {}, nil, nil, nil, nil, nil
  if steps then plan_of, used_of, since_of, unsettled_of, changed = {}, {}, {}, {}, {} end
  for b = 1, budgets do
    local plan, value = plans[owners and owners[b] or 1], values[b]
    local definition, used, since, unsettled, before = plan.definition, 0, now, 0, nil
    if not value then
      fresh = fresh or {}
      fresh[#fresh + 1] = KEYS[b]
      if plan.kind >= FIXED_WINDOW then since = now - (now - (anchors and anchors[b] or 0)) % plan.period end
    elseif find(value, definition, 1, true) == 1 then
      local at = #definition + 1
      local bytes, marks = #value - at, nil
      if bytes >= 9 then
        marks, since, used = unpack_bytes("<Bi6I3", value, at)
        unsettled, at = used, at + 10
        if marks > 0 then
          local size = marks % 4
          local has_unsettled, has_previous = marks % 16 >= SOME_SETTLED, marks % 32 >= HAS_PREVIOUS
          if bytes < 9 + 2 * size + (has_unsettled and 7 or 0) + (has_previous and 7 or 0) then
            at = nil
          else
            if size > 0 then used, at = unpack_bytes(size == 1 and "<I5" or "<I7", value, at - 3) end
            unsettled = marks % 16 >= ALL_SETTLED and 0 or used
            if has_unsettled then unsettled, at = unpack_bytes("<I7", value, at) end
            if has_previous then before, at = unpack_bytes("<I7", value, at) end
          end
        end
      else
        at = nil
      end
      if at ~= #value + 1 then is_plain = false end
    else
      is_plain = false
    end
    if since > now or plan.rate == 0 or plan.kind >= SLIDING_LOG then is_plain = false end
    if not is_plain then break end
    local at = REPLY_HEAD + REPLY_STATE * (b - 1)
    reply[at + 1], reply[at + 2], reply[at + 3] = used, now - since, used - unsettled
    if before then
      before_of[b], more = before, more or {}
      local last = #more
      more[last + 1], more[last + 2], more[last + 3] = b, before, 0
    end
    if steps then plan_of[b], used_of[b], since_of[b], unsettled_of[b] = plan, used, since, unsettled end
  end
  if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end
  if is_plain and not steps then
    for b = 1, budgets do
      local plan, at = plans[owners and owners[b] or 1], REPLY_HEAD + REPLY_STATE * (b - 1)
      local kind, used, since, before = plan.kind, reply[at + 1], now - reply[at + 2], before_of[b]
      local unsettled = used - reply[at + 3]
      local ticks, unit
      if kind < FIXED_WINDOW then
        local elapsed = now - since
        if elapsed > 0 then
          used, since = used - elapsed * plan.refill_per_ms, now
          if used < 0 then used = 0 end
          if unsettled > used then unsettled = used end
        end
        ticks, unit = used, plan.ticks_per_unit
      elseif kind == FIXED_WINDOW then
        local elapsed = now - since
        if elapsed >= plan.period then
          local ended = floor(elapsed / plan.period)
          used, since = used - ended * plan.rate, since + ended * plan.period
          if used < 0 then used = 0 end
          if unsettled > used then unsettled = used end
        end
        ticks, unit = used, 1
      else
        local elapsed = now - since
        if elapsed >= plan.period then
          local ended = floor(elapsed / plan.period)
          before = ended == 1 and used > 0 and used or nil
          used, since, unsettled = 0, since + ended * plan.period, 0
        end
        ticks = used * plan.period
        if before then ticks = ticks + before * (plan.period - max(0, now - since)) end
        unit = 1
      end
      if ticks + plan.ticks_per_unit <= plan.capacity_ticks then
        used, unsettled, charged = used + unit, unsettled + unit, charged + 1
        local definition, marks, reset_after, text = plan.definition, 0, nil, nil
        if kind < FIXED_WINDOW then
          reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
        elseif kind == FIXED_WINDOW then
          reset_after = used == 0 and 0 or since + ceil(used / plan.rate) * plan.period - now
        else
          reset_after = used > 0 and since + 2 * plan.period - now or before and since + plan.period - now or 0
        end
        if used < 16777216 and unsettled == used and not before then
          text = pack("<c0Bi6I3", definition, marks, since, used)
        else
          local numbers, more = "<c0Bi6I3", ""
          if used >= 1099511627776 then numbers, marks = "<c0Bi6I7", marks + 2
          elseif used >= 16777216 then numbers, marks = "<c0Bi6I5", marks + 1
          end
          if unsettled ~= used and unsettled == 0 then marks = marks + ALL_SETTLED
          elseif unsettled ~= used then marks, more = marks + SOME_SETTLED, pack("<I7", unsettled)
          end
          if before then marks, more = marks + HAS_PREVIOUS, more .. pack("<I7", before) end
          text = pack(numbers, definition, marks, since, used) .. more
        end
        local expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
        call("PSETEX", KEYS[b], expiry, text)
      end
    end
  elseif is_plain then
    local at, last = 1, #steps
    while at <= last do
      local first, final, fits = at, at, true
      if steps[at] == TAKE_UNITS then first, final = at + 2, at + 1 + steps[at + 1] end
      for place = first, final do
        local b = steps[place]
        local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
        local kind = plan.kind
        local ticks, unit
        if kind < FIXED_WINDOW then
          local elapsed = now - since
          if elapsed > 0 then
            used, since = used - elapsed * plan.refill_per_ms, now
            if used < 0 then used = 0 end
            if unsettled > used then unsettled = used end
          end
          ticks, unit = used, plan.ticks_per_unit
        elseif kind == FIXED_WINDOW then
          local elapsed = now - since
          if elapsed >= plan.period then
            local ended = floor(elapsed / plan.period)
            used, since = used - ended * plan.rate, since + ended * plan.period
            if used < 0 then used = 0 end
            if unsettled > used then unsettled = used end
          end
          ticks, unit = used, 1
        else
          local elapsed = now - since
          if elapsed >= plan.period then
            local ended = floor(elapsed / plan.period)
            before = ended == 1 and used > 0 and used or nil
            used, since, unsettled = 0, since + ended * plan.period, 0
          end
          ticks = used * plan.period
          if before then ticks = ticks + before * (plan.period - max(0, now - since)) end
          unit = 1
        end
        used_of[b], since_of[b], unsettled_of[b], before_of[b] = used, since, unsettled, before
        fits = fits and ticks + plan.ticks_per_unit <= plan.capacity_ticks
      end
      for place = first, fits and final or 0 do
        local b = steps[place]
        local plan = plan_of[b]
        local unit = plan.kind == SLIDING_WINDOW and 1 or plan.ticks_per_unit
        used_of[b], unsettled_of[b], changed[b] = used_of[b] + unit, unsettled_of[b] + unit, true
        charged = charged + 1
      end
      at = final + 1
    end
    for b = 1, budgets do
      if changed[b] then
        local plan, used, since, unsettled, before = plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b]
        local kind = plan.kind
        local definition, marks, reset_after, text = plan.definition, 0, nil, nil
        if kind < FIXED_WINDOW then
          reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
        elseif kind == FIXED_WINDOW then
          reset_after = used == 0 and 0 or since + ceil(used / plan.rate) * plan.period - now
        else
          reset_after = used > 0 and since + 2 * plan.period - now or before and since + plan.period - now or 0
        end
        if used < 16777216 and unsettled == used and not before then
          text = pack("<c0Bi6I3", definition, marks, since, used)
        else
          local numbers, more = "<c0Bi6I3", ""
          if used >= 1099511627776 then numbers, marks = "<c0Bi6I7", marks + 2
          elseif used >= 16777216 then numbers, marks = "<c0Bi6I5", marks + 1
          end
          if unsettled ~= used and unsettled == 0 then marks = marks + ALL_SETTLED
          elseif unsettled ~= used then marks, more = marks + SOME_SETTLED, pack("<I7", unsettled)
          end
          if before then marks, more = marks + HAS_PREVIOUS, more .. pack("<I7", before) end
          text = pack(numbers, definition, marks, since, used) .. more
        end
        local expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
        call("PSETEX", KEYS[b], expiry, text)
      end
    end
  end
  if is_plain then
    reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / 3 or 0
    for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
    return reply
  end
elseif request.lends then
  local BASE = { [LENT_TOKEN_BUCKET] = TOKEN_BUCKET, [LENT_FIXED_WINDOW] = FIXED_WINDOW, [LENT_SLIDING_WINDOW] = SLIDING_WINDOW }
  local SHARE_WIDTH = 3
  local rep, sub, remove = string.rep, string.sub, table.remove
  local is_plain, fresh, reply, charged, more = true, nil, { now, 0 }, 0, nil
  for _, plan in ipairs(plans) do
    plan.base = BASE[plan.kind] or plan.kind
    plan.unit = plan.base == SLIDING_WINDOW and 1 or plan.ticks_per_unit
  end
  local plan_of, used_of, since_of, unsettled_of, before_of, ticks_of, changed = {}, {}, {}, {}, {}, {}, {}
  local shares_of, lent_of, text_of = {}, {}, {}
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
      local bytes, marks = #value - at, nil
      if bytes >= 9 then
        marks, since, used = unpack_bytes("<Bi6I3", value, at)
        unsettled, at = used, at + 10
        if marks > 0 then
          local size = marks % 4
          local has_unsettled, has_previous = marks % 16 >= SOME_SETTLED, marks % 32 >= HAS_PREVIOUS
          if bytes < 9 + 2 * size + (has_unsettled and 7 or 0) + (has_previous and 7 or 0) then
            at = nil
          else
            if size > 0 then used, at = unpack_bytes(size == 1 and "<I5" or "<I7", value, at - 3) end
            unsettled = marks % 16 >= ALL_SETTLED and 0 or used
            if has_unsettled then unsettled, at = unpack_bytes("<I7", value, at) end
            if has_previous then before, at = unpack_bytes("<I7", value, at) end
          end
        end
      else
        at = nil
      end
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
        shares[#shares] = nil
        for index = 2, #shares, SHARE_WIDTH do lent = lent + shares[index] end
      end
    else
      is_plain = false
    end
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
      local ticks, unit
      if kind < FIXED_WINDOW then
        local elapsed = now - since
        if elapsed > 0 then
          used, since = used - elapsed * plan.refill_per_ms, now
          if used < 0 then used = 0 end
          if unsettled > used then unsettled = used end
        end
        ticks, unit = used, plan.ticks_per_unit
      elseif kind == FIXED_WINDOW then
        local elapsed = now - since
        if elapsed >= plan.period then
          local ended = floor(elapsed / plan.period)
          used, since = used - ended * plan.rate, since + ended * plan.period
          if used < 0 then used = 0 end
          if unsettled > used then unsettled = used end
        end
        ticks, unit = used, 1
      else
        local elapsed = now - since
        if elapsed >= plan.period then
          local ended = floor(elapsed / plan.period)
          before = ended == 1 and used > 0 and used or nil
          used, since, unsettled = 0, since + ended * plan.period, 0
        end
        ticks = used * plan.period
        if before then ticks = ticks + before * (plan.period - max(0, now - since)) end
        unit = 1
      end
      ticks_of[b] = ticks
    end
    while shares and shares[1] and shares[1] <= now do
      lent, text_of[b] = lent - shares[2], nil
      for _ = 1, SHARE_WIDTH do remove(shares, 1) end
    end
    plan_of[b], used_of[b], since_of[b], unsettled_of[b], before_of[b] = plan, used, since, unsettled, before
    shares_of[b], lent_of[b] = shares, lent
  end
  if fresh and is_plain and (#fresh > MOST_ARGUMENTS or call("EXISTS", unpack(fresh)) > 0) then is_plain = false end
  if is_plain then
    local at, last = 1, steps and #steps or budgets
    while at <= last do
      local b, count, reserve, id, want, left, back = steps and steps[at] or at, 1, 0, 0, 0, 0, 0
      if b == DRAW then
        b, count, reserve, id, want, left, back = unpack(steps, at + 1, at + 7)
        at = at + 7
      end
      local plan, shares = plan_of[b], shares_of[b]
      local unit, ticks_per_unit = plan.unit, plan.ticks_per_unit
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
          if kind < FIXED_WINDOW then
            reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
          elseif kind == FIXED_WINDOW then
            reset_after = used == 0 and 0 or since + ceil(used / plan.rate) * plan.period - now
          else
            reset_after = used > 0 and since + 2 * plan.period - now or before and since + plan.period - now or 0
          end
        end
        if reset_after <= 0 then
          call("DEL", KEYS[b])
        else
          if used < 16777216 and unsettled == used and not before then
            text = pack("<c0Bi6I3", definition, marks, since, used)
          else
            local numbers, more = "<c0Bi6I3", ""
            if used >= 1099511627776 then numbers, marks = "<c0Bi6I7", marks + 2
            elseif used >= 16777216 then numbers, marks = "<c0Bi6I5", marks + 1
            end
            if unsettled ~= used and unsettled == 0 then marks = marks + ALL_SETTLED
            elseif unsettled ~= used then marks, more = marks + SOME_SETTLED, pack("<I7", unsettled)
            end
            if before then marks, more = marks + HAS_PREVIOUS, more .. pack("<I7", before) end
            text = pack(numbers, definition, marks, since, used) .. more
          end
          local expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
          if is_lent then
            text = text .. (text_of[b] or pack(rep(SHARE, #shares / SHARE_WIDTH), unpack(shares)))
          end
          call("PSETEX", KEYS[b], expiry, text)
        end
      end
    end
    reply[REPLY_CHARGED], reply[#reply + 1] = charged, more and #more / 3 or 0
    for at = 1, more and #more or 0 do reply[#reply + 1] = more[at] end
    for at = 1, #seen do reply[#reply + 1] = seen[at] end
    return reply
  end
end
local plan_of, used, since, unsettled = {}, {}, {}, {}
local previous, blocked, list_of, others_of, until_of = {}, {}, {}, {}, {}
local text_of_others, apart_of, inline_of, home = {}, {}, {}, {}
local foreign, changed = {}, {}
local seen_of, forgotten = {}, {}
local share, begin_if_empty, encode_others, write_others, copy_list
local list_key, may_use
local function reject(b)
  foreign[b], used[b], since[b], unsettled[b] = true, -1, now, 0
end
local function decode_more(b, marks, at)
  local value = values[b]
  if band(marks, HAS_BLOCK) ~= 0 then blocked[b], at = unpack_bytes(BLOCK_END, value, at) end
  if band(marks, HAS_OTHERS) ~= 0 then text_of_others[b], at = unpack_bytes(OTHERS, value, at) end
  if band(marks, HAS_APART) ~= 0 then
    apart_of[b] = { unpack_bytes(APART, value, at) }
    at = apart_of[b][4]
  end
  inline_of[b] = string.sub(value, at)
end
local all_used, all_since, all_unsettled = used, since, unsettled
local function decode(b, length)
  local value, at, used, since, unsettled, before = values[b], length + 1, nil, nil, nil, nil
  local bytes, marks = #value - at, nil
  if bytes >= 9 then
    marks, since, used = unpack_bytes("<Bi6I3", value, at)
    unsettled, at = used, at + 10
    if marks > 0 then
      local size = marks % 4
      local has_unsettled, has_previous = marks % 16 >= SOME_SETTLED, marks % 32 >= HAS_PREVIOUS
      if bytes < 9 + 2 * size + (has_unsettled and 7 or 0) + (has_previous and 7 or 0) then
        at = nil
      else
        if size > 0 then used, at = unpack_bytes(size == 1 and "<I5" or "<I7", value, at - 3) end
        unsettled = marks % 16 >= ALL_SETTLED and 0 or used
        if has_unsettled then unsettled, at = unpack_bytes("<I7", value, at) end
        if has_previous then before, at = unpack_bytes("<I7", value, at) end
      end
    end
  else
    at = nil
  end
  if not at then return false end
  all_used[b], all_since[b], all_unsettled[b], previous[b] = used, since, unsettled, before
  return at > #value or pcall(decode_more, b, marks, at)
end
local fresh, odd, needed = {}, nil, {}
for _, plan in ipairs(plans) do needed[plan.kind] = true end
for b = 1, budgets do
  local plan, value = plans[owners and owners[b] or 1], values[b]
  plan_of[b] = plan
  if not value then
    fresh[#fresh + 1] = b
  else
    local is_ours = find(value, plan.definition, 1, true) == 1 and decode(b, #plan.definition)
    if not is_ours or text_of_others[b] or since[b] > now then
      odd = odd or {}
      odd[#odd + 1] = b
    end
  end
end
local FIELDS, width_of
if steps then
  FIELDS = { [-1] = 1, [-2] = 3, [-3] = 1, [-4] = 2, [-5] = 1, [-6] = 3, [-7] = 3, [-11] = 7, [-8] = 1, [-9] = 1, [-10] = 2 }
  function width_of(at)
    local step, asks = steps[at], steps[at + 1]
    if step > 0 then return 1 end
    if step == DRAW then return 1 + FIELDS[DRAW] + 2 * (steps[at + 6] + steps[at + 7]) end
    local is_of_asks = step == TAKE or step == LOOK
    return 1 + FIELDS[step] + (is_of_asks and ASK * asks or step == TAKE_UNITS and asks or 0)
  end
end
local kinds = {}
local function add(b, kind, change)
  used[b] = used[b] + change
  if kind.record and change ~= 0 then kind.record(b, change) end
end
local function charge(b, plan, count)
  local kind, taken = plan.algorithm, count * plan.counts_per_unit
  kind.advance(b, plan)
  add(b, kind, taken)
  unsettled[b] = unsettled[b] + taken
end
local function settle(b, plan, reserved, really_used)
  local kind, excess = plan.algorithm, really_used - reserved
  kind.advance(b, plan)
  local most = (kind.most_counts and kind.most_counts(plan) or EXACT) - used[b] - (previous[b] or 0)
  local least = kind.queues and 0 or -unsettled[b]
  add(b, kind, max(least, min(excess * plan.counts_per_unit, max(0, most))))
  unsettled[b] = min(max(0, unsettled[b] - reserved * plan.counts_per_unit), used[b])
  if excess > 0 and others_of[b] then share(b, plan, excess, NO_LEASE) end
end
local function begin(b, plan, ticks, open, at)
  local kind, ticks_per_count = plan.algorithm, plan.ticks_per_unit / plan.counts_per_unit
  if kind.open then kind.open(b, plan) end
  used[b], since[b], previous[b] = 0, kind.is_aligned and at - (at - (anchors and anchors[b] or 0)) % plan.period or at, nil
  add(b, kind, ceil(ticks / ticks_per_count))
  unsettled[b] = floor(open / ticks_per_count)
end
local function keep(b, plan, from)
  local kind = plan.algorithm
  if not kind.has_history or plan.period ~= from.period then return false end
  local function start_of(definition) return string.match(definition, "^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$") end
  return start_of(plan.definition) == start_of(from.definition) and kind.used(b, plan) <= plan.capacity_ticks
end
local function rate(kind)
  kind.charge, kind.settle, kind.begin, kind.keep = charge, settle, begin, keep
  return kind
end
local function bind(plan)
  plan.algorithm = kinds[plan.kind]
  plan.counts_per_unit = plan.algorithm.counts_units and 1 or plan.ticks_per_unit
end
local lends = needed[LENT_TOKEN_BUCKET] or needed[LENT_FIXED_WINDOW] or needed[LENT_SLIDING_WINDOW]
if lends then needed[TOKEN_BUCKET], needed[FIXED_WINDOW], needed[SLIDING_WINDOW] = true, true, true end
if odd or needed[TOKEN_BUCKET] then
  local bucket = { is_reservable = true }
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end
  function bucket.define(plan)
    local shared = greatest_divisor(plan.rate, plan.period)
    plan.ticks_per_unit, plan.refill_per_ms = plan.period / shared, plan.rate / shared
  end
  function bucket.used(b, plan)
    local used, since, unsettled = used[b], since[b], 0
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function bucket.advance(b, plan)
    local used, since, unsettled = used[b], since[b], unsettled[b]
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
  end
  function bucket.reset_after(b, plan)
    local used, since, unsettled, reset_after = used[b], since[b], 0, nil
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
    return reset_after
  end
  kinds[TOKEN_BUCKET] = rate(bucket)
end
if odd or needed[FIXED_WINDOW] then
  local window = { is_aligned = true, is_reservable = true }
  function window.used(b, plan)
    local used, since, unsettled = used[b], since[b], 0
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      used, since = used - ended * plan.rate, since + ended * plan.period
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function window.advance(b, plan)
    local used, since, unsettled = used[b], since[b], unsettled[b]
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      used, since = used - ended * plan.rate, since + ended * plan.period
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
  end
  function window.reset_after(b, plan)
    local used, since, unsettled, reset_after = used[b], since[b], 0, nil
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      used, since = used - ended * plan.rate, since + ended * plan.period
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    reset_after = used == 0 and 0 or since + ceil(used / plan.rate) * plan.period - now
    return reset_after
  end
  function window.most_counts(plan)
    return plan.rate == 0 and EXACT or min(EXACT, floor(EXACT / plan.period) * plan.rate)
  end
  kinds[FIXED_WINDOW] = rate(window)
end
if odd or needed[SLIDING_WINDOW] then
  local window = { is_aligned = true, has_history = true, counts_units = true }
  function window.define(plan)
    plan.ticks_per_unit = plan.period
  end
  function window.used(b, plan)
    local used, since, unsettled, before, ticks = used[b], since[b], 0, previous[b], nil
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      before = ended == 1 and used > 0 and used or nil
      used, since, unsettled = 0, since + ended * plan.period, 0
    end
    ticks = used * plan.period
    if before then ticks = ticks + before * (plan.period - max(0, now - since)) end
    return ticks
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function window.advance(b, plan)
    local used, since, unsettled, before = used[b], since[b], unsettled[b], previous[b]
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      before = ended == 1 and used > 0 and used or nil
      used, since, unsettled = 0, since + ended * plan.period, 0
    end
    all_used[b], all_since[b], all_unsettled[b], previous[b] = used, since, unsettled, before
  end
  function window.reset_after(b, plan)
    local used, since, unsettled, before, reset_after = used[b], since[b], 0, previous[b], nil
    local elapsed = now - since
    if elapsed >= plan.period then
      local ended = floor(elapsed / plan.period)
      before = ended == 1 and used > 0 and used or nil
      used, since, unsettled = 0, since + ended * plan.period, 0
    end
    reset_after = used > 0 and since + 2 * plan.period - now or before and since + plan.period - now or 0
    return reset_after
  end
  function window.most_counts(plan)
    return floor(EXACT / plan.period)
  end
  kinds[SLIDING_WINDOW] = rate(window)
end
if odd or needed[SLIDING_LOG] then
  function list_key(b, plan)
    return (string.gsub(KEYS[home[b] or b], ":{", "+" .. string.sub(plan.definition, 1, -2) .. "{", 1))
  end
  local function first_element(command, key)
    local texts = redis.pcall(command, key, 0, 0)
    if not texts.err then return texts end
    if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
  end
  function may_use(key, command, bytes)
    local texts = first_element(command, key)
    if not texts then return false end
    if texts[1] and #texts[1] ~= bytes then return false end
    if texts[1] then call("UNLINK", key) end
    return true
  end
  local function is_there(b, list, command, bytes)
    local texts = first_element(command, list.key)
    if not texts or texts[1] and #texts[1] ~= bytes then return reject(b) end
    return texts[1] ~= nil
  end
  local function call_with_all(command, key, arguments)
    for first = 1, #arguments, MOST_ARGUMENTS do
      call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
    end
  end
  local function present(b)
    return max(since[b], now)
  end
  local function sorted_keys(set)
    local keys = {}
    for key in pairs(set) do keys[#keys + 1] = key end
    table.sort(keys)
    return keys
  end
  local ENTRY, ENTRY_BYTES, SUMS = "<i6I7", 13, 9007199254740992
  local PAGE = 32
  local PAGE_BYTES = PAGE * ENTRY_BYTES
  local MOST_DROPPED = 1024
  local log = { has_history = true, keeps_list = true }
  local function plus(sum, units)
    return sum >= SUMS - units and sum - (SUMS - units) or sum + units
  end
  local function minus(sum, earlier)
    return sum < earlier and sum - earlier + SUMS or sum - earlier
  end
  local function page_at(list, page)
    local text = list.read[page]
    if not text then
      text = call("LINDEX", list.key, page - 1)
      list.read[page] = text
    end
    return text
  end
  local function entry_at(list, number)
    local text, offset = list.tail, (number - list.pages * PAGE - 1) * ENTRY_BYTES
    if offset < 0 then text, offset = page_at(list, ceil(number / PAGE)), (number - 1) % PAGE * ENTRY_BYTES end
    local instant, sum = unpack_bytes(ENTRY, text, offset + 1)
    return instant - list.shift, sum
  end
  local function sum_at(list, number)
    if number == list.head then return list.base end
    local _, sum = entry_at(list, number)
    return sum
  end
  local function last_until(list, instant)
    local low, high = list.head, list.length
    if low == high or entry_at(list, low + 1) > instant then return low end
    while low < high do
      local middle = ceil((low + high) / 2)
      if entry_at(list, middle) <= instant then low = middle else high = middle - 1 end
    end
    return low
  end
  local function last_before(list, units)
    local low, high = list.head, list.length
    while low < high do
      local middle = ceil((low + high) / 2)
      if minus(list.sum, sum_at(list, middle)) >= units then low = middle else high = middle - 1 end
    end
    return low
  end
  local function set_tail(list, tail)
    list.tail, list.length = tail, list.pages * PAGE + #tail / ENTRY_BYTES
    list.sum = list.length > list.head and select(2, entry_at(list, list.length)) or list.base
  end
  local function append(list, instant, sum)
    list.tail = list.tail .. pack(ENTRY, instant + list.shift, sum)
    list.length, list.sum = list.length + 1, sum
  end
  function log.open(b, plan)
    local key = list_key(b, plan)
    local is_apart = list_of[b] and list_of[b].key == key and list_of[b].is_apart
    list_of[b] = {
      key = key, is_apart = is_apart, pages = 0, head = 0, base = 0, shift = 0, tail = "", length = 0, sum = 0,
      read = {}, cuts = {}, stored = 0,
    }
    return list_of[b]
  end
  function log.load(b, plan)
    local list, apart, tail = log.open(b, plan), apart_of[b], inline_of[b] or ""
    if #tail % ENTRY_BYTES ~= 0 then return reject(b) end
    if apart then
      list.pages, list.head, list.shift = apart[1], apart[2], apart[3]
      list.is_apart, list.stored = list.pages > 0, list.pages
    end
    if list.is_apart and not is_there(b, list, "LRANGE", PAGE_BYTES) then
      list.is_apart, list.pages, list.head, list.stored = false, 0, 0, 0
      tail = pack(ENTRY, since[b] + list.shift, used[b])
    end
    set_tail(list, tail)
    list.base = minus(list.sum, used[b])
  end
  local function last_over(b, plan)
    local list, over = list_of[b], present(b) - plan.period
    if list.over ~= over then list.over, list.last_over = over, last_until(list, over) end
    return list.last_over
  end
  function log.used(b, plan)
    local list = list_of[b]
    return minus(list.sum, sum_at(list, last_over(b, plan)))
  end
  function log.advance(b, plan)
    local list, over = list_of[b], last_over(b, plan)
    list.base = sum_at(list, over)
    list.head = over
    used[b] = minus(list.sum, list.base)
    unsettled[b] = min(unsettled[b], used[b])
  end
  function log.reset_after(b, plan)
    local list = list_of[b]
    if list.length == list.head then return 0 end
    return max(0, entry_at(list, list.length) + plan.period - now)
  end
  local function push(b, units)
    local list, instant = list_of[b], present(b)
    local sum = plus(list.sum, units)
    if list.length == list.head then list.base, sum = 0, units end
    if list.length > list.head and entry_at(list, list.length) == instant then
      list.tail, list.length = string.sub(list.tail, 1, -ENTRY_BYTES - 1), list.length - 1
    end
    append(list, instant, sum)
    since[b] = instant
  end
  local function truncate(list, number)
    if number <= list.pages * PAGE then
      local whole = max(0, ceil(number / PAGE) - 1)
      local tail = number > 0 and string.sub(page_at(list, whole + 1), 1, (number - whole * PAGE) * ENTRY_BYTES) or ""
      list.pages = whole
      return set_tail(list, tail)
    end
    set_tail(list, string.sub(list.tail, 1, (number - list.pages * PAGE) * ENTRY_BYTES))
  end
  local function take_back(b, units)
    local list = list_of[b]
    local last, sum = last_before(list, units), minus(list.sum, units)
    list.cuts[last], list.cuts[last + 1] = true, true
    local instant = last < list.length and sum ~= sum_at(list, last) and entry_at(list, last + 1)
    truncate(list, last)
    if instant then append(list, instant, sum) end
  end
  function log.record(b, change)
    if change > 0 then push(b, change) else take_back(b, -change) end
  end
  function log.note(b, plan, most)
    local list = list_of[b]
    if blocked[b] and blocked[b] > now then list.cuts[last_until(list, max(since[b], blocked[b]) - plan.period)] = true end
    if most >= 0 and log.used(b, plan) > most then list.cuts[last_before(list, most + 1) + 1] = true end
  end
  function log.note_each(b, plan, units)
    local list, number = list_of[b], last_over(b, plan)
    local before, most = sum_at(list, number), log.used(b, plan) + units - plan.capacity_ticks
    while number < list.length and minus(sum_at(list, number), before) < most do
      number = number + 1
      list.cuts[number] = true
    end
    seen_of[b].is_whole = number == list.length
    if not seen_of[b].is_whole then log.note(b, plan, -1) end
  end
  function log.see(b, plan)
    local list, over = list_of[b], last_over(b, plan)
    seen_of[b] = {
      key = list.key, pages = list.pages, head = over, base = sum_at(list, over), length = list.length, shift = list.shift,
      tail = list.tail, read = list.read, cuts = list.cuts,
    }
  end
  function log.show(b, reply)
    local seen, count = seen_of[b], #reply + 1
    local sum, shown = seen.base, 0
    if seen.length > seen.head then seen.cuts[seen.head + 1], seen.cuts[seen.length] = true, true end
    reply[count] = 0
    for _, number in ipairs(sorted_keys(seen.cuts)) do
      if number > seen.head and number <= seen.length then
        local instant, reached = entry_at(seen, number)
        reply[#reply + 1], reply[#reply + 2] = instant, minus(reached, sum)
        sum, shown = reached, shown + 1
      end
    end
    reply[count] = seen.is_whole and shown or -shown
  end
  function log.divide(b)
    local list = list_of[b]
    if list.length == list.head then list.pages, list.head, list.tail, list.shift = 0, 0, "", 0 end
    list.dropped = min(floor(list.head / PAGE), list.pages, MOST_DROPPED)
    list.kept = list.pages - list.dropped
    local head, tail, pushed = list.head - list.dropped * PAGE, list.tail, {}
    if list.kept == 0 then head, tail = 0, string.sub(tail, head * ENTRY_BYTES + 1) end
    local is_free = nil
    while #tail > PAGE_BYTES do
      if is_free == nil then is_free = list.is_apart or may_use(list.key, "LRANGE", PAGE_BYTES) end
      if not is_free then break end
      pushed[#pushed + 1], tail = string.sub(tail, 1, PAGE_BYTES), string.sub(tail, PAGE_BYTES + 1)
    end
    list.pushed = pushed
    local pages = list.kept + #pushed
    return (pages > 0 or list.shift ~= 0) and pack(APART, pages, head, list.shift) or "", tail
  end
  function log.write(b, expiry)
    local list = list_of[b]
    if list.is_apart and list.kept == 0 then call("UNLINK", list.key)
    elseif list.is_apart and (list.dropped > 0 or list.pages < list.stored) then
      call("LTRIM", list.key, list.dropped, list.pages - 1)
    end
    call_with_all("RPUSH", list.key, list.pushed)
    if list.kept + #list.pushed > 0 then call("PEXPIRE", list.key, expiry) end
  end
  function log.rewind(b, ms)
    list_of[b].shift, list_of[b].over = list_of[b].shift + ms, nil
  end
  kinds[SLIDING_LOG] = rate(log)
  local serves = log.keep
  function log.keep(b, plan, from)
    if not serves(b, plan, from) then return false end
    copy_list(b, plan, "LRANGE", PAGE_BYTES)
    return true
  end
end
if odd or needed[LEAKY_BUCKET] then
  local bucket = { is_reservable = true }
  local function greatest_divisor(one, other)
    while other ~= 0 do one, other = other, one % other end
    return one
  end
  function bucket.define(plan)
    local shared = greatest_divisor(plan.rate, plan.period)
    plan.ticks_per_unit, plan.refill_per_ms = plan.period / shared, plan.rate / shared
  end
  function bucket.used(b, plan)
    local used, since, unsettled = used[b], since[b], 0
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    return used
  end
  local all_used, all_since, all_unsettled = used, since, unsettled
  function bucket.advance(b, plan)
    local used, since, unsettled = used[b], since[b], unsettled[b]
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    all_used[b], all_since[b], all_unsettled[b] = used, since, unsettled
  end
  function bucket.reset_after(b, plan)
    local used, since, unsettled, reset_after = used[b], since[b], 0, nil
    local elapsed = now - since
    if elapsed > 0 then
      used, since = used - elapsed * plan.refill_per_ms, now
      if used < 0 then used = 0 end
      if unsettled > used then unsettled = used end
    end
    reset_after = used == 0 and 0 or since - now + ceil(used / plan.refill_per_ms)
    return reset_after
  end
  bucket.queues = true
  kinds[LEAKY_BUCKET] = rate(bucket)
end
if odd or needed[CONCURRENCY] then
  function list_key(b, plan)
    return (string.gsub(KEYS[home[b] or b], ":{", "+" .. string.sub(plan.definition, 1, -2) .. "{", 1))
  end
  local function first_element(command, key)
    local texts = redis.pcall(command, key, 0, 0)
    if not texts.err then return texts end
    if not find(texts.err, "WRONGTYPE", 1, true) then error(texts.err) end
  end
  function may_use(key, command, bytes)
    local texts = first_element(command, key)
    if not texts then return false end
    if texts[1] and #texts[1] ~= bytes then return false end
    if texts[1] then call("UNLINK", key) end
    return true
  end
  local function is_there(b, list, command, bytes)
    local texts = first_element(command, list.key)
    if not texts or texts[1] and #texts[1] ~= bytes then return reject(b) end
    return texts[1] ~= nil
  end
  local function call_with_all(command, key, arguments)
    for first = 1, #arguments, MOST_ARGUMENTS do
      call(command, key, unpack(arguments, first, min(first + MOST_ARGUMENTS - 1, #arguments)))
    end
  end
  local function present(b)
    return max(since[b], now)
  end
  local function sorted_keys(set)
    local keys = {}
    for key in pairs(set) do keys[#keys + 1] = key end
    table.sort(keys)
    return keys
  end
  local MEMBER, MEMBER_BYTES, SPAN = "<I7B", 8, 35184372088832
  local MOST_DROPPED = 128
  local function score(size, instant)
    return format("%.0f", (size - 1) * SPAN + instant)
  end
  local function each_size(units, visit)
    local size = 1
    while units > 0 do
      if units % 2 == 1 then visit(size) end
      units, size = floor(units / 2), size + 1
    end
  end
  local function count_apart(list, instant)
    local units, after = 0, max(0, list.floor + list.shift + 1)
    for size = 1, list.sizes do
      local members = call("ZCOUNT", list.key, score(size, after), score(size, instant + list.shift))
      units = units + 2 ^ (size - 1) * members
    end
    return units
  end
  local function read_apart(list, id)
    local members = {}
    for size = 1, list.sizes do members[size] = pack(MEMBER, id, size) end
    local lease = { units = 0, id = id }
    for size, text in ipairs(#members > 0 and call("ZMSCORE", list.key, unpack(members)) or {}) do
      if text then
        lease.units = lease.units + 2 ^ (size - 1)
        lease.instant = tonumber(text) - (size - 1) * SPAN - list.shift
      end
    end
    return lease.units > 0 and lease or nil
  end
  local function shorten_apart(list, latest)
    for size = 1, list.sizes do
      local first, last, scores = score(size, latest + list.shift), score(size + 1, -1), {}
      for _, member in ipairs(call("ZRANGEBYSCORE", list.key, "(" .. first, last)) do
        scores[#scores + 1], scores[#scores + 2] = first, member
      end
      call_with_all("ZADD", list.key, scores)
    end
  end
  local function read_all(list)
    local by_id, all, texts = {}, {}, call("ZRANGE", list.key, 0, -1, "WITHSCORES")
    for at = 1, #texts, 2 do
      local id, size = unpack_bytes(MEMBER, texts[at])
      local lease = by_id[id] or { units = 0, id = id }
      lease.instant = tonumber(texts[at + 1]) - (size - 1) * SPAN - list.shift
      lease.units = lease.units + 2 ^ (size - 1)
      if not by_id[id] then by_id[id], all[#all + 1] = lease, lease end
    end
    return all
  end
  local function write_members(list, removed, added)
    local members, scores = {}, {}
    for id, lease in pairs(removed) do
      each_size(lease.units, function(size) members[#members + 1] = pack(MEMBER, id, size) end)
    end
    for _, lease in pairs(added) do
      each_size(lease.units, function(size)
        scores[#scores + 1], scores[#scores + 2] = score(size, lease.instant + list.shift), pack(MEMBER, lease.id, size)
      end)
    end
    call_with_all("ZREM", list.key, members)
    call_with_all("ZADD", list.key, scores)
    return #scores / 2
  end
  local function drop_over(list, added)
    local left = MOST_DROPPED + added
    for size = 1, list.sizes do
      local first, last = score(size, 0), score(size, max(-1, list.floor + list.shift))
      local members = left > 0 and call("ZRANGEBYSCORE", list.key, first, last, "LIMIT", 0, left) or {}
      call_with_all("ZREM", list.key, members)
      left = left - #members
    end
  end
  local LEASE, LEASE_BYTES = "<i6I4I7", 17
  local NEVER = -SPAN
  local MOST_KEPT = 16
  local leases = { holds_leases = true, keeps_list = true }
  function leases.open(b, plan)
    local key = list_key(b, plan)
    local is_apart = list_of[b] and list_of[b].key == key and list_of[b].is_apart
    list_of[b] = {
      key = key, is_apart = is_apart, shift = 0, cuts = {}, kept = {}, sizes = 0, floor = NEVER,
      found = {}, removed = {}, added = {},
    }
    return list_of[b]
  end
  function leases.load(b, plan)
    local list, apart, text = leases.open(b, plan), apart_of[b], inline_of[b] or ""
    if #text % LEASE_BYTES ~= 0 then return reject(b) end
    local at = 1
    while at <= #text do
      local lease = {}
      lease.instant, lease.units, lease.id, at = unpack_bytes(LEASE, text, at)
      list.kept[#list.kept + 1] = lease
    end
    if not apart then return end
    list.sizes, list.floor, list.shift = apart[1], apart[2], apart[3]
    list.is_apart, list.kept = true, nil
    if is_there(b, list, "ZRANGE", MEMBER_BYTES) or foreign[b] then return end
    leases.open(b, plan).kept[1] = { instant = since[b] + plan.period, units = used[b], id = NO_LEASE }
  end
  local function count_stored(list, instant)
    if instant <= list.floor then return 0 end
    if not list.kept then return count_apart(list, instant) end
    local units = 0
    for _, lease in ipairs(list.kept) do
      if lease.instant > instant then break end
      if lease.instant > list.floor then units = units + lease.units end
    end
    return units
  end
  local function count_of(all, list, instant)
    local units = 0
    for _, lease in pairs(all) do
      if lease.instant > list.floor and lease.instant <= instant then units = units + lease.units end
    end
    return units
  end
  local function count_until(list, instant)
    return count_stored(list, instant) - count_of(list.removed, list, instant) + count_of(list.added, list, instant)
  end
  local function count_over(b)
    local list, instant = list_of[b], present(b)
    if instant <= list.floor then return 0 end
    if list.over ~= instant then list.over, list.units_over = instant, count_until(list, instant) end
    return list.units_over
  end
  function leases.used(b)
    return used[b] - count_over(b)
  end
  function leases.advance(b)
    used[b] = leases.used(b)
    list_of[b].floor = max(list_of[b].floor, present(b))
  end
  local function find_kept(list, id)
    for _, lease in ipairs(list.kept) do
      if lease.id == id then return lease end
    end
  end
  local function find_stored(list, id)
    if list.found[id] == nil then
      list.found[id] = (list.kept and find_kept or read_apart)(list, id) or false
    end
    return list.found[id] or nil
  end
  local function find_lease(list, id)
    local lease = list.added[id] or not list.removed[id] and find_stored(list, id) or nil
    return lease and lease.instant > list.floor and lease or nil
  end
  local function remove(list, id)
    local lease = find_lease(list, id)
    if not lease then return 0 end
    if list.added[id] then list.added[id] = nil else list.removed[id] = lease end
    return lease.units
  end
  local function add(b, id, units, instant)
    local list = list_of[b]
    local before = remove(list, id)
    list.added[id] = { instant = instant, units = before + units, id = id }
  end
  function leases.charge(b, plan, units, id)
    leases.advance(b)
    since[b] = present(b)
    add(b, id, units, since[b] + plan.period)
    used[b] = used[b] + units
  end
  leases.settle = leases.advance
  function leases.reset_after(b, plan)
    return leases.used(b) == 0 and 0 or since[b] + plan.period - now
  end
  function leases.begin(b, plan, ticks, _, at)
    leases.open(b, plan)
    used[b], since[b], previous[b], unsettled[b] = 0, at, nil, 0
    if ticks > 0 then leases.charge(b, plan, ticks, NO_LEASE) end
  end
  local function changed_kept(kept, ms, latest)
    local all = {}
    for index, lease in ipairs(kept) do
      all[index] = { instant = min(lease.instant - ms, latest), units = lease.units, id = lease.id }
    end
    return all
  end
  function leases.keep(b, plan, from)
    copy_list(b, plan, "ZRANGE", MEMBER_BYTES)
    leases.advance(b)
    local list, latest = list_of[b], present(b) + plan.period
    if list.kept then list.kept = changed_kept(list.kept, 0, latest)
    elseif plan.period < from.period and not foreign[b] then shorten_apart(list, latest)
    end
    since[b] = present(b)
    return true
  end
  function leases.rewind(b, ms)
    local list = list_of[b]
    list.floor, list.over = list.floor - ms, nil
    if list.kept then list.kept = changed_kept(list.kept, ms, math.huge) else list.shift = list.shift + ms end
  end
  local function release_own(b, id, count)
    leases.advance(b)
    local list = list_of[b]
    local lease = find_lease(list, id)
    if not lease or lease.units ~= count then return false end
    used[b] = used[b] - remove(list, id)
    return true
  end
  local function renew_own(b, plan, id, count)
    local is_held = release_own(b, id, count)
    if is_held then leases.charge(b, plan, count, id) end
    return is_held
  end
  local function each_other(b, visit)
    for _, other in ipairs(others_of[b] or {}) do
      if plan_of[other].algorithm == leases then visit(other, plan_of[other]) end
    end
  end
  function leases.release(b, _, id, count)
    each_other(b, function(other) release_own(other, id, count) end)
    release_own(b, id, count)
  end
  function leases.renew(b, plan, id, count)
    if not renew_own(b, plan, id, count) then return end
    each_other(b, function(other, its_plan)
      if not renew_own(other, its_plan, id, count) then leases.charge(other, its_plan, count, id) end
    end)
  end
  local function end_of(b, plan, units)
    local list, low, high = list_of[b], present(b), since[b] + plan.period
    for _, lease in ipairs(list.kept or {}) do
      local is_held = lease.instant > list.floor and not list.removed[lease.id]
      if is_held then units = units - lease.units end
      if is_held and units <= 0 then return lease.instant end
    end
    if list.kept then return high end
    while low + 1 < high do
      local middle = floor((low + high) / 2)
      if count_until(list, middle) >= units then high = middle else low = middle end
    end
    return high
  end
  function leases.note(b, plan, most)
    local list = list_of[b]
    if blocked[b] and blocked[b] > now then list.cuts[max(since[b], blocked[b])] = true end
    if most >= 0 and leases.used(b) > most then list.cuts[end_of(b, plan, used[b] - most)] = true end
  end
  function leases.note_each(b)
    seen_of[b].is_whole = true
  end
  function leases.see(b, plan)
    local list = list_of[b]
    seen_of[b] = {
      key = list.key, kept = list.kept, sizes = list.sizes, shift = list.shift, floor = max(list.floor, present(b)),
      used = leases.used(b), latest = since[b] + plan.period, cuts = list.cuts, found = list.found,
    }
  end
  local function named(seen)
    local source, all = seen.found, {}
    if seen.is_whole then source = seen.kept or read_all(seen) end
    for _, lease in pairs(source) do
      if lease and lease.instant > seen.floor then all[#all + 1] = lease end
    end
    table.sort(all, function(one, other) return one.instant < other.instant end)
    return all
  end
  function leases.show(b, reply)
    local seen, count, shown, sum, next_named = seen_of[b], #reply + 1, 0, 0, 1
    local leases_named = named(seen)
    local function show_one(instant, units, id)
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = instant, units, id
      shown = shown + 1
    end
    reply[count], seen.cuts[seen.latest] = 0, true
    for _, cut in ipairs(sorted_keys(seen.cuts)) do
      if cut > seen.floor and cut <= seen.latest then
        local reached = cut == seen.latest and seen.used or count_stored(seen, cut)
        local others = reached - sum
        while leases_named[next_named] and leases_named[next_named].instant <= cut do
          local lease = leases_named[next_named]
          show_one(lease.instant, lease.units, lease.id)
          others, next_named = others - lease.units, next_named + 1
        end
        if others > 0 then show_one(cut, others, -1 - shown) end
        sum = reached
      end
    end
    reply[count] = shown
  end
  local function held(list)
    local all = {}
    for _, lease in ipairs(list.kept) do
      if lease.instant > list.floor and not list.removed[lease.id] then all[#all + 1] = lease end
    end
    for _, lease in pairs(list.added) do all[#all + 1] = lease end
    return all
  end
  function leases.divide(b)
    local list, texts = list_of[b], {}
    if not list.kept and used[b] == count_of(list.added, list, math.huge) then list.kept, list.shift = {}, 0 end
    if list.kept then
      local all = held(list)
      if #all <= MOST_KEPT or not (list.is_apart or may_use(list.key, "ZRANGE", MEMBER_BYTES)) then
        for index, lease in ipairs(all) do texts[index] = pack(LEASE, lease.instant, lease.units, lease.id) end
        return "", table.concat(texts)
      end
      list.moved = all
    end
    for _, lease in pairs(list.moved or list.added) do
      each_size(lease.units, function(size) list.sizes = max(list.sizes, size) end)
    end
    return pack(APART, list.sizes, list.floor, list.shift), ""
  end
  function leases.write(b, expiry)
    local list = list_of[b]
    if list.kept and list.is_apart then call("UNLINK", list.key) end
    if list.kept and not list.moved then return end
    local added = write_members(list, list.removed, list.moved or list.added)
    if not list.kept then drop_over(list, added) end
    call("PEXPIRE", list.key, expiry)
  end
  kinds[CONCURRENCY] = leases
end
if odd or lends then
  local function present_of(b)
    return max(since[b], now)
  end
  local function drop_ended(b)
    local shares, instant = list_of[b].shares, present_of(b)
    if not shares[1] or shares[1].instant > instant then return end
    local left = {}
    for index = 1, #shares do
      if shares[index].instant > instant then left[#left + 1] = shares[index] end
    end
    list_of[b] = { shares = left }
  end
  local function units_after(b, instant)
    local shares, units = list_of[b].shares, 0
    for index = 1, #shares do
      if shares[index].instant > instant then units = units + shares[index].units end
    end
    return units
  end
  local function cut(b, id, most)
    local shares, before, left = list_of[b].shares, 0, {}
    for index = 1, #shares do
      local one = shares[index]
      if one.id == id then
        before = one.units
        one = { instant = one.instant, units = min(before, most), id = id }
      end
      if one.units > 0 then left[#left + 1] = one end
    end
    list_of[b] = { shares = left }
    return before
  end
  local function lends(kind)
    function kind.open(b)
      list_of[b] = { shares = {} }
    end
    function kind.load(b)
      local text, shares, at = inline_of[b] or "", {}, 1
      if #text % SHARE_BYTES ~= 0 then return reject(b) end
      while at <= #text do
        local one = {}
        one.instant, one.units, one.id, at = unpack_bytes(SHARE, text, at)
        shares[#shares + 1] = one
      end
      list_of[b] = { shares = shares }
    end
    function kind.divide(b)
      local shares, texts = list_of[b].shares, {}
      for index = 1, #shares do
        texts[index] = pack(SHARE, shares[index].instant, shares[index].units, shares[index].id)
      end
      return "", table.concat(texts)
    end
    function kind.see(b)
      seen_of[b] = list_of[b].shares
    end
    function kind.show(b, reply)
      reply[#reply + 1] = #seen_of[b]
      for _, one in ipairs(seen_of[b]) do
        local at = #reply
        reply[at + 1], reply[at + 2], reply[at + 3] = one.instant, one.units, one.id
      end
    end
    function kind.rewind(b, ms)
      local shares = {}
      for index, one in ipairs(list_of[b].shares) do
        shares[index] = { instant = one.instant - ms, units = one.units, id = one.id }
      end
      list_of[b] = { shares = shares }
    end
    function kind.forget(b, plan)
      if units_after(b, present_of(b)) == 0 then return false end
      kind.advance(b, plan)
      used[b], previous[b], unsettled[b] = units_after(b, 0) * plan.counts_per_unit, nil, 0
      return true
    end
    local function note_used(b, plan, units)
      if units > 0 then unsettled[b] = unsettled[b] + units * plan.counts_per_unit end
    end
    function kind.report(b, plan, said, left)
      kind.advance(b, plan)
      for at = 1, #said, 2 do
        local id, units, comes_back = said[at], said[at + 1], at > 2 * left
        local before = cut(b, id, comes_back and 0 or units)
        local unused = min(before, units)
        if comes_back then used[b] = used[b] - unused * plan.counts_per_unit end
        note_used(b, plan, before - unused)
      end
    end
    local function lendable(b, plan)
      if not plan.share or #list_of[b].shares >= MOST_SHARES then return 0 end
      local left = floor((plan.capacity_ticks - kind.used(b, plan)) / plan.ticks_per_unit)
      return min(ceil(left / 2), floor(plan.capacity_ticks / plan.ticks_per_unit / 2) - units_after(b, 0))
    end
    function kind.lend(b, plan, id, want)
      kind.advance(b, plan)
      local units = min(want, lendable(b, plan))
      if units <= 0 then return 0 end
      local instant, last = kind.lent_until(b, plan), list_of[b].shares[#list_of[b].shares]
      if last then instant = max(instant, last.instant) end
      local before, shares = cut(b, id, 0), list_of[b].shares
      shares[#shares + 1] = { instant = instant, units = before + units, id = id }
      used[b] = used[b] + units * plan.counts_per_unit
      return units
    end
    return rate(kind)
  end
  local bucket = { base = kinds[TOKEN_BUCKET], is_reservable = true, define = kinds[TOKEN_BUCKET].define }
  local function bucket_at(b, plan, instant)
    local used, since, shares = used[b], since[b], list_of[b].shares
    local lent = shares[1] and units_after(b, 0) * plan.ticks_per_unit or 0
    local refill_per_ms = plan.refill_per_ms
    for index = 1, #shares do
      local one = shares[index]
      if one.instant > max(instant, since) then break end
      if one.instant > since then
        used, since = max(lent, used - (one.instant - since) * refill_per_ms), one.instant
      end
      lent = lent - one.units * plan.ticks_per_unit
    end
    if instant > since then used, since = max(lent, used - (instant - since) * refill_per_ms), instant end
    return used, since, lent
  end
  function bucket.used(b, plan)
    return (bucket_at(b, plan, now))
  end
  function bucket.advance(b, plan)
    local lent
    used[b], since[b], lent = bucket_at(b, plan, now)
    unsettled[b] = min(unsettled[b], used[b] - lent)
    drop_ended(b)
  end
  function bucket.reset_after(b, plan)
    local missing, since, lent = bucket_at(b, plan, now)
    if missing <= 0 then return 0 end
    for _, one in ipairs(list_of[b].shares) do
      if one.instant > since then
        missing = max(lent, missing - (one.instant - since) * plan.refill_per_ms)
        since, lent = one.instant, lent - one.units * plan.ticks_per_unit
      end
    end
    return since + ceil(missing / plan.refill_per_ms) - now
  end
  function bucket.lent_until(b, plan)
    return present_of(b) + plan.share
  end
  local function lent_window(window)
    local kind = setmetatable({ base = window }, { __index = window })
    function kind.advance(b, plan)
      window.advance(b, plan)
      drop_ended(b)
    end
    function kind.lent_until(b, plan)
      return min(present_of(b) + plan.share, since[b] + plan.period)
    end
    return kind
  end
  kinds[LENT_TOKEN_BUCKET] = lends(bucket)
  kinds[LENT_FIXED_WINDOW] = lends(lent_window(kinds[FIXED_WINDOW]))
  kinds[LENT_SLIDING_WINDOW] = lends(lent_window(kinds[SLIDING_WINDOW]))
end
for _, plan in ipairs(plans) do bind(plan) end
local keep_lists = odd or needed[SLIDING_LOG] or needed[CONCURRENCY] or lends
for first = 1, #fresh, MOST_ARGUMENTS do
  local last, keys = min(first + MOST_ARGUMENTS - 1, #fresh), {}
  for index = first, last do keys[#keys + 1] = KEYS[fresh[index]] end
  if call("EXISTS", unpack(keys)) > 0 then
    for index = first, last do
      if call("EXISTS", KEYS[fresh[index]]) == 1 then reject(fresh[index]) end
    end
  end
end
for _, b in ipairs(fresh) do
  if not foreign[b] then plan_of[b].algorithm.begin(b, plan_of[b], 0, 0, now) end
end
if odd then
  local MOST_OTHERS = 7
  local function plan_of_definition(definition)
    local words = {}
    for word in string.gmatch(definition or "", "[^,\\n]+") do words[#words + 1] = tonumber(word, 36) or false end
    local kind, rate, period, capacity, debt = unpack(words)
    local algorithm = kinds[kind]
    if not (algorithm and rate and period) then return nil end
    capacity = capacity or rate
    local plan = plan_from(definition, kind, rate, period, 1, 0, 0, 0)
    if algorithm.define then algorithm.define(plan) end
    plan.capacity_ticks = capacity * plan.ticks_per_unit
    if algorithm.is_reservable and rate > 0 then
      local most = (algorithm.most_counts and algorithm.most_counts(plan) or EXACT) - plan.capacity_ticks
      plan.debt_ticks = debt and min(debt * plan.ticks_per_unit, most) or most
    end
    bind(plan)
    return plan
  end
  local last_place = budgets
  local function new_place(b)
    last_place = last_place + 1
    home[last_place] = b
    return last_place
  end
  local function decode_others(b, text)
    others_of[b] = {}
    for index, state in ipairs(cmsgpack.unpack(text)) do
      local other, definition, apart = new_place(b), nil, nil
      definition, used[other], since[other], unsettled[other], previous[other], until_of[other], apart, inline_of[other] =
        unpack(state)
      if previous[other] == 0 then previous[other] = nil end
      local plan = assert(plan_of_definition(definition))
      plan_of[other], others_of[b][index] = plan, other
      if apart ~= "" then apart_of[other] = { unpack_bytes(APART, apart) } end
      if plan.algorithm.load then plan.algorithm.load(other, plan) end
      assert(not foreign[other])
    end
  end
  function encode_others(b)
    local all, latest = {}, now
    for index, other in ipairs(others_of[b]) do
      local plan, apart, inline = plan_of[other], "", ""
      latest = max(latest, until_of[other])
      if plan.algorithm.divide then apart, inline = plan.algorithm.divide(other) end
      all[index] = {
        plan.definition, used[other], since[other], unsettled[other], previous[other] or 0, until_of[other], apart, inline,
      }
    end
    return cmsgpack.pack(all), latest - now
  end
  function write_others(b, expiry)
    for _, other in ipairs(others_of[b]) do
      local kind = plan_of[other].algorithm
      if kind.write then kind.write(other, expiry) end
    end
  end
  local function decode_odd(b)
    local from = plan_of_definition(string.match(values[b], "^[^\\n]*\\n"))
    if not from or not decode(b, #from.definition) then return nil end
    if text_of_others[b] and not pcall(decode_others, b, text_of_others[b]) then return nil end
    return from
  end
  local function convert(ticks, from, plan)
    if from.ticks_per_unit == plan.ticks_per_unit then return ticks end
    local units = floor(ticks / from.ticks_per_unit)
    local rest = (ticks - units * from.ticks_per_unit) / from.ticks_per_unit
    return units * plan.ticks_per_unit + min(plan.ticks_per_unit, ceil(rest * plan.ticks_per_unit))
  end
  local function most_kept(ticks, from, plan)
    return plan.capacity_ticks + min(convert(max(0, ticks - from.capacity_ticks), from, plan), plan.debt_ticks)
  end
  local function same_kind(one, other)
    return (one.base or one) == (other.base or other)
  end
  local function migrate(b, plan, from)
    local old, new = from.algorithm, plan.algorithm
    if same_kind(old, new) and new.keep(b, plan, from) then
      if old.base or new.base then list_of[b] = new.base and { shares = {} } or nil end
      return
    end
    old.advance(b, from)
    local ticks = old.used(b, from)
    local kept = min(convert(ticks, from, plan), most_kept(ticks, from, plan))
    local open = min(kept, convert(unsettled[b] * from.ticks_per_unit / from.counts_per_unit, from, plan))
    list_of[b] = nil
    new.begin(b, plan, kept, open, max(now, since[b]))
  end
  local function memory(plan)
    if plan.rate == 0 then return 2 * plan.period end
    return plan.period * max(2, ceil(plan.capacity_ticks / plan.ticks_per_unit / plan.rate))
  end
  local function copy_numbers(one, other)
    used[other], since[other], unsettled[other], previous[other] = used[one], since[one], unsettled[one], previous[one]
  end
  local function copy_table(one, copy)
    for field, value in pairs(one) do
      if copy[field] == nil then copy[field] = value end
    end
    return copy
  end
  function copy_list(b, plan, read, bytes)
    local list = list_of[b]
    local copy = copy_table(list, { key = list_key(b, plan), is_beside = false, cuts = {}, found = {}, removed = {}, added = {} })
    list_of[b] = copy
    if not copy.is_apart or copy.key == list.key then return end
    if not may_use(copy.key, read, bytes) then return reject(b) end
    call(list.is_beside and "COPY" or "RENAME", list.key, copy.key)
  end
  local function copy_beside(b, from, plan)
    local other = new_place(b)
    plan_of[other], list_of[other] = from, list_of[b]
    if list_of[b] then
      list_of[b].is_beside = true
      list_of[b] = copy_table(list_of[b], {})
    end
    copy_numbers(b, other)
    until_of[other] = min(now + max(from.algorithm.reset_after(other, from), memory(from), memory(plan)), EXACT)
    return other
  end
  local function rewind_if_far_ahead(b, plan)
    if since[b] - now < plan.period then return 0 end
    local step = plan.algorithm.is_aligned and plan.period or 1
    local ms = floor((since[b] - now) / step) * step
    since[b], blocked[b] = since[b] - ms, blocked[b] and max(0, blocked[b] - ms)
    if list_of[b] then plan.algorithm.rewind(b, ms) end
    return ms
  end
  local function current(others)
    local kept = {}
    for _, other in ipairs(others or {}) do
      until_of[other] = until_of[other] - rewind_if_far_ahead(other, plan_of[other])
      if until_of[other] > now then kept[#kept + 1] = other end
    end
    return kept
  end
  local OVERFLOW = "1,0,eiz5s00,gjdgxs\\n"
  local function overflow_among(others)
    for index, other in ipairs(others or {}) do
      if plan_of[other].definition == OVERFLOW then return other, index end
    end
  end
  local function new_overflow(b)
    local record = new_place(b)
    plan_of[record] = plan_of_definition(OVERFLOW)
    used[record], since[record], previous[record], unsettled[record], until_of[record] = 0, now, 0, 0, 0
    return record
  end
  local function add_to_overflow(b, from, others)
    local record, index = overflow_among(others)
    if record then table.remove(others, index) else record = new_overflow(b) end
    local ticks, per_unit = from.algorithm.used(b, from), from.ticks_per_unit
    used[record] = max(used[record], ceil(ticks / per_unit))
    previous[record] = max(previous[record] or 0, ceil((ticks - from.capacity_ticks) / per_unit))
    until_of[record] = max(until_of[record], min(now + from.algorithm.reset_after(b, from), EXACT))
    others[#others + 1] = record
  end
  local function count_overflow(b, plan)
    local record = overflow_among(others_of[b])
    if not record then return end
    local kind, per_unit = plan.algorithm, plan.ticks_per_unit
    local debt = min((previous[record] or 0) * per_unit, plan.debt_ticks)
    local ticks = min(used[record] * per_unit, plan.capacity_ticks + debt)
    local short = ticks - kind.used(b, plan)
    if short <= 0 then return end
    if kind.holds_leases then return kind.charge(b, plan, short, now) end
    kind.advance(b, plan)
    kind.begin(b, plan, ticks, unsettled[b] * per_unit / plan.counts_per_unit, max(now, since[b]))
  end
  local function take_over(b, plan, from, others)
    local _, record = overflow_among(others)
    if from.algorithm.reset_after(b, from) > 0 then
      local is_full = #others - (record and 1 or 0) >= MOST_OTHERS
      if is_full then add_to_overflow(b, from, others)
      else others[#others + 1] = current({ copy_beside(b, from, plan) })[1] end
    end
    others_of[b] = #others > 0 and others or nil
    migrate(b, plan, from)
    count_overflow(b, plan)
  end
  local function switch(b, plan, from, others, known)
    rewind_if_far_ahead(b, from)
    local other = table.remove(others, known)
    others[#others + 1] = copy_beside(b, from, plan)
    others_of[b] = others
    copy_numbers(other, b)
    list_of[b] = list_of[other]
  end
  local function change_definition(b, plan, from)
    local others = current(others_of[b])
    for index, other in ipairs(others) do
      if plan_of[other].definition == plan.definition then return switch(b, plan, from, others, index) end
    end
    take_over(b, plan, from, others)
  end
  function begin_if_empty(b, plan)
    local is_empty = since[b] > now and used[b] == 0 and (previous[b] or 0) == 0 and (blocked[b] or 0) <= now
    if is_empty then plan.algorithm.begin(b, plan, 0, 0, now) end
  end
  local function reconcile(b, plan)
    local from = decode_odd(b)
    if not from then return reject(b) end
    local is_same = from.definition == plan.definition
    if is_same and since[b] <= now then return end
    if from.algorithm.load then from.algorithm.load(b, from) end
    if foreign[b] then return end
    if not is_same then change_definition(b, plan, from) end
    rewind_if_far_ahead(b, plan)
    begin_if_empty(b, plan)
    changed[b] = true
  end
  function share(b, plan, count, lease)
    local others = current(others_of[b])
    others_of[b] = #others > 0 and others or nil
    local ticks = plan.algorithm.used(b, plan)
    for _, other in ipairs(others) do
      local to, units = plan_of[other], count
      if lease == NO_LEASE or not to.algorithm.holds_leases then
        local room = most_kept(ticks, plan, to) - to.algorithm.used(other, to)
        units = min(count, floor(room / to.ticks_per_unit))
      end
      if units > 0 then to.algorithm.charge(other, to, units, lease ~= NO_LEASE and lease or now) end
    end
  end
  for _, b in ipairs(odd) do reconcile(b, plan_of[b]) end
end
for b = 1, keep_lists and budgets or 0 do
  local plan = plan_of[b]
  if plan.algorithm.load and not foreign[b] then
    if not list_of[b] then plan.algorithm.load(b, plan) end
    if not foreign[b] then plan.algorithm.see(b, plan) end
  end
end
local reply = { now, 0 }
for b = 1, budgets do
  local at = REPLY_HEAD + REPLY_STATE * (b - 1)
  local is_used, is_open = used[b], unsettled[b]
  if plan_of[b].algorithm.note and not foreign[b] then
    is_used = plan_of[b].algorithm.used(b, plan_of[b])
    is_open = min(is_open, is_used)
  end
  reply[at + 1], reply[at + 2], reply[at + 3] = is_used, now - since[b], is_used - is_open
end
local at_more = #reply + 1
reply[at_more] = 0
if next(previous) or next(blocked) then
  for b = 1, budgets do
    if previous[b] or blocked[b] then
      local at = #reply
      reply[at_more] = reply[at_more] + 1
      reply[at + 1], reply[at + 2], reply[at + 3] = b, previous[b] or 0, blocked[b] or 0
    end
  end
end
local charged = 0
local function has_room(b, plan, ticks, most)
  local is_blocked = blocked[b] and blocked[b] > now
  return not is_blocked and plan.algorithm.used(b, plan) + ticks <= most
end
local function fits(b, plan, ticks, most)
  if odd then begin_if_empty(b, plan) end
  if foreign[b] then return false end
  if has_room(b, plan, ticks, most) then return true end
  local kind = plan.algorithm
  if kind.note then kind.note(b, plan, most - ticks) end
  return false
end
local function take(b, plan, count, lease)
  plan.algorithm.charge(b, plan, count, lease)
  if others_of[b] then share(b, plan, count, lease) end
  changed[b] = true
end
local function take_one(b)
  local plan = plan_of[b]
  if not fits(b, plan, plan.ticks_per_unit, plan.capacity_ticks) then return end
  take(b, plan, 1, NO_LEASE)
  charged = charged + 1
end
if not steps then
  for b = 1, budgets do take_one(b) end
else
  local function ask_at(at, width)
    if width == 1 then return steps[at], 1, 0, 0, NO_LEASE end
    return unpack(steps, at, at + width - 1)
  end
  local function take_all(first, last, width, is_look)
    local all_fit = not is_look
    for at = first, last, width do
      local b, count, reserve, headroom = ask_at(at, width)
      local plan = plan_of[b]
      local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
      all_fit = fits(b, plan, max(1, count) * plan.ticks_per_unit + headroom, most) and all_fit
    end
    for at = first, all_fit and last or 0, width do
      local b, count, _, _, lease = ask_at(at, width)
      if count > 0 then take(b, plan_of[b], count, lease) end
      charged = charged + 1
    end
  end
  local function block(b, plan, kind, ms)
    kind.advance(b, plan)
    local stays = kind.is_aligned or kind.holds_leases and used[b] > 0
    if not stays then since[b] = max(since[b], now) end
    blocked[b] = max(since[b], now) + ms
  end
  local function stays_lent(b, plan)
    return plan.algorithm.forget and plan.algorithm.forget(b, plan)
  end
  local function reset(b, plan, kind)
    if blocked[b] and blocked[b] <= now then blocked[b] = nil end
    local lent = {}
    for _, other in ipairs(others_of[b] or {}) do
      if until_of[other] > now and stays_lent(other, plan_of[other]) then lent[#lent + 1] = other
      else forgotten[#forgotten + 1] = list_of[other]
      end
    end
    others_of[b] = #lent > 0 and lent or nil
    if not stays_lent(b, plan) then kind.begin(b, plan, 0, 0, now) end
  end
  local function change(step, b, first, second)
    local plan = plan_of[b]
    local kind = plan.algorithm
    if foreign[b] then return end
    if odd then begin_if_empty(b, plan) end
    if step == SETTLE then kind.settle(b, plan, first, second)
    elseif step == RESET then reset(b, plan, kind)
    elseif step == BLOCK then block(b, plan, kind, first)
    elseif step == UNBLOCK then blocked[b] = nil
    elseif step == RELEASE and kind.holds_leases then kind.release(b, plan, first, second)
    elseif step == RENEW and kind.holds_leases then kind.renew(b, plan, first, second)
    end
    if odd then begin_if_empty(b, plan) end
    changed[b] = true
  end
  local function draw(at, width)
    local b, count, reserve, id, want, left = unpack(steps, at + 1, at + 6)
    local plan, said = plan_of[b], { unpack(steps, at + 1 + FIELDS[DRAW], at + width - 1) }
    local kind = plan.algorithm
    if foreign[b] then return end
    if odd then begin_if_empty(b, plan) end
    if #said > 0 then
      local report = kind.report or kind.advance
      report(b, plan, said, left)
      changed[b] = true
    end
    local most = reserve == 1 and plan.capacity_ticks + plan.debt_ticks or plan.capacity_ticks
    if not has_room(b, plan, max(1, count) * plan.ticks_per_unit, most) then return end
    if count > 0 then take(b, plan, count, NO_LEASE) end
    local units = kind.lend and kind.lend(b, plan, id, want) or 0
    if units > 0 and others_of[b] then share(b, plan, units, NO_LEASE) end
    changed[b], charged = true, charged + 1 + units
  end
  local function show(b, units)
    local kind = plan_of[b].algorithm
    if kind.note_each and not foreign[b] then kind.note_each(b, plan_of[b], units) end
  end
  local at, last = 1, #steps
  while at <= last do
    local step, width = steps[at], width_of(at)
    if step > 0 then take_one(step)
    elseif step == TAKE then take_all(at + 1 + FIELDS[TAKE], at + width - 1, ASK)
    elseif step == TAKE_UNITS then take_all(at + 1 + FIELDS[TAKE_UNITS], at + width - 1, 1)
    elseif step == LOOK then take_all(at + 1 + FIELDS[LOOK], at + width - 1, ASK, true)
    elseif step == DRAW then draw(at, width)
    elseif step == SHOW then show(steps[at + 1], steps[at + 2])
    else change(step, steps[at + 1], steps[at + 2], steps[at + 3])
    end
    at = at + width
  end
end
for b = 1, keep_lists and budgets or 0 do
  local kind = plan_of[b].algorithm
  if kind.show and not foreign[b] then kind.show(b, reply) end
end
local function encode(b, others)
  local definition, used, since, unsettled = plan_of[b].definition, used[b], since[b], unsettled[b]
  local before, block, marks, rare, text, apart, inline = previous[b], blocked[b] or 0, 0, "", nil, "", ""
  local kind = plan_of[b].algorithm
  if kind.divide then apart, inline = kind.divide(b) end
  if block ~= 0 then marks, rare = HAS_BLOCK, pack(BLOCK_END, block) end
  if others ~= "" then marks, rare = marks + HAS_OTHERS, rare .. pack(OTHERS, #others, others) end
  if apart ~= "" then marks, rare = marks + HAS_APART, rare .. apart end
  if used < 16777216 and unsettled == used and not before then
    text = pack("<c0Bi6I3", definition, marks, since, used)
  else
    local numbers, more = "<c0Bi6I3", ""
    if used >= 1099511627776 then numbers, marks = "<c0Bi6I7", marks + 2
    elseif used >= 16777216 then numbers, marks = "<c0Bi6I5", marks + 1
    end
    if unsettled ~= used and unsettled == 0 then marks = marks + ALL_SETTLED
    elseif unsettled ~= used then marks, more = marks + SOME_SETTLED, pack("<I7", unsettled)
    end
    if before then marks, more = marks + HAS_PREVIOUS, more .. pack("<I7", before) end
    text = pack(numbers, definition, marks, since, used) .. more
  end
  return text .. rare .. inline
end
local function save(b)
  local plan, key, others, time_of_others = plan_of[b], KEYS[b], "", 0
  local before, block = previous[b] or 0, blocked[b] or 0
  local reset_after = plan.algorithm.reset_after(b, plan)
  if others_of[b] then others, time_of_others = encode_others(b) end
  reset_after = max(reset_after, block - now, time_of_others)
  if not (reset_after > 0 or linger > 0 and (used[b] > 0 or before > 0 or block > 0)) then
    if list_of[b] and list_of[b].is_apart then call("UNLINK", list_of[b].key) end
    return call("DEL", key)
  end
  local expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
  call("PSETEX", key, expiry, encode(b, others))
  if plan.algorithm.write then plan.algorithm.write(b, expiry) end
  if others_of[b] then write_others(b, expiry) end
end
for b = 1, budgets do
  if changed[b] and not foreign[b] then save(b) end
end
for _, list in ipairs(forgotten) do
  if list.is_apart then call("UNLINK", list.key) end
end
reply[REPLY_CHARGED] = charged
return reply
`,
} as const;
