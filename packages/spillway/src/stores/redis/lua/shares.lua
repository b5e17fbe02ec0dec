-- Rates of which units are lent to processes: a kind of its own for each kind that lends. A share is a lease of
-- units, and what is lent is among `used` until its holder says otherwise, or its time is over: see
-- algorithms/lending.ts and algorithms/shares.ts. Shares are kept in the value, in order of the instants at
-- which they end, all of them: there are never more than MOST_SHARES.
--
-- `list_of` has for each state a table with `shares`, a list that is never changed, for states may have it in
-- common: a step makes another one.

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

-- Units that are lent until after an instant.
local function units_after(b, instant)
  local shares, units = list_of[b].shares, 0
  for index = 1, #shares do
    if shares[index].instant > instant then units = units + shares[index].units end
  end
  return units
end

-- Lets a share have no more than so many units; returns how many it had, 0 where there is none.
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

-- What all kinds that lend have beside their own functions.
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

  -- What is lent stays missing when all else is forgotten. Returns whether anything is.
  function kind.forget(b, plan)
    if units_after(b, present_of(b)) == 0 then return false end
    kind.advance(b, plan)
    used[b], previous[b], unsettled[b] = units_after(b, 0) * plan.counts_per_unit, nil, 0
    return true
  end

  -- What a holder has used may be settled from then on.
  local function note_used(b, plan, units)
    if units > 0 then unsettled[b] = unsettled[b] + units * plan.counts_per_unit end
  end

  -- Notes what a holder says of its shares: `left` of those that it goes on holding, then of those that come back.
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

  -- Half of what is left, and never more than half of the capacity at once.
  local function lendable(b, plan)
    if not plan.share or #list_of[b].shares >= MOST_SHARES then return 0 end
    local left = floor((plan.capacity_ticks - kind.used(b, plan)) / plan.ticks_per_unit)
    return min(ceil(left / 2), floor(plan.capacity_ticks / plan.ticks_per_unit / 2) - units_after(b, 0))
  end

  -- Lends units, and returns how many.
  function kind.lend(b, plan, id, want)
    kind.advance(b, plan)
    local units = min(want, lendable(b, plan))
    if units <= 0 then return 0 end
    local instant, last = kind.lent_until(b, plan), list_of[b].shares[#list_of[b].shares]
    -- Where `share` has become shorter, the list is kept in order: later is safe.
    if last then instant = max(instant, last.instant) end
    local before, shares = cut(b, id, 0), list_of[b].shares
    shares[#shares + 1] = { instant = instant, units = before + units, id = id }
    used[b] = used[b] + units * plan.counts_per_unit
    return units
  end

  return rate(kind)
end

-- A token bucket: missing ticks are worked out from the end of one share to that of the next, between which what
-- is lent does not come back.
local bucket = { base = kinds[TOKEN_BUCKET], is_reservable = true, define = kinds[TOKEN_BUCKET].define }

-- What is missing at an instant, of when that is, and how much of it is lent.
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

-- Exact if nobody gives back.
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

-- A window: units that are lent end with it, so its arithmetic is that of the kind without them.
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
