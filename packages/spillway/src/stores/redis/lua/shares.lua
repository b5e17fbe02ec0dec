-- Rates whose units can be lent to processes: each kind that lends is a kind of its own. A share is
-- a lease of units. Lent units are part of `used` until their holder reports otherwise, or the
-- share ends: see algorithms/lending.ts and algorithms/shares.ts. Their rules are in the files
-- shares-*.lua. All shares are kept in the value, in order of their ends. There are never more than
-- MOST_SHARES.
--
-- `list_of` has a table for each state with `shares`: instant, units and id of each, one after the
-- other. This list is never changed in place, because several states may use it. A step creates
-- another list.
--
-- Reads  plans' numbers; now, steps, list_of, seen_of, inline_of, used, since, unsettled, previous
-- Sets   kinds[LENT_TOKEN_BUCKET], kinds[LENT_FIXED_WINDOW], kinds[LENT_SLIDING_WINDOW]
local rep, remove = string.rep, table.remove
local used_by, since_by = used, since

local function present_of(b)
  return max(since[b], now)
end

-- Gives a state its own copy of the list, in which all shares end `ms` milliseconds earlier.
-- Returns the copy.
local function own_shares(b, ms)
  local shares = { unpack(list_of[b].shares) }
  for index = 1, #shares, SHARE_WIDTH do shares[index] = shares[index] - ms end
  list_of[b] = { shares = shares }
  return shares
end

local function drop_ended(b)
  local shares, instant = list_of[b].shares, present_of(b)
  if not shares[1] or shares[1] > instant then return end
  shares = own_shares(b, 0)
  while shares[1] and shares[1] <= instant do
    for _ = 1, SHARE_WIDTH do remove(shares, 1) end
  end
end

-- Returns the units of shares that end after an instant.
local function units_after(b, instant)
  local shares, units = list_of[b].shares, 0
  for index = 1, #shares, SHARE_WIDTH do
    if shares[index] > instant then units = units + shares[index + 1] end
  end
  return units
end

-- The functions that load, encode and show the list. Logs and leases have the same functions.
local function open(b)
  list_of[b] = { shares = {} }
end

local function load_shares(b)
  local text = inline_of[b] or ""
  local count = #text / SHARE_BYTES
  if count % 1 ~= 0 or count > MOST_SHARES then return reject(b) end
  local shares = { unpack_bytes(rep(SHARE, count), text) }
  -- The last result of unpack is the position of the rest, not a share.
  shares[#shares] = nil
  list_of[b] = { shares = shares }
end

local function divide(b)
  local shares = list_of[b].shares
  return "", pack(rep(SHARE, #shares / SHARE_WIDTH), unpack(shares))
end

local function see(b)
  seen_of[b] = list_of[b].shares
end

local function show(b, reply)
  local shares, at = seen_of[b], #reply + 1
  reply[at] = #shares / SHARE_WIDTH
  for index = 1, #shares do reply[at + index] = shares[index] end
end

-- Forgets what was used, except lent units. Returns false, and changes nothing, if none are lent.
local function forget(b, plan)
  if units_after(b, present_of(b)) == 0 then return false end
  plan.algorithm.advance(b, plan)
  used[b], previous[b], unsettled[b] = units_after(b, 0) * plan.counts_per_unit, nil, 0
  return true
end

-- Records a holder's report on its shares, which begins at `at` in the steps.
local function report(b, plan, at, left, back)
  plan.algorithm.advance(b, plan)
  local shares, lent = own_shares(b, 0), 0
  --include shares-report.lua
  used[b] = used[b] - returned * plan.counts_per_unit
  unsettled[b] = unsettled[b] + spent * plan.counts_per_unit
end

-- Lends units. Returns how many.
local function lend(b, plan, id, want)
  if not plan.share then return 0 end
  local kind = plan.algorithm
  kind.advance(b, plan)
  local shares, lent, ticks = own_shares(b, 0), units_after(b, 0), kind.used(b, plan)
  local ends = kind.lent_until(b, plan)
  --include shares-lend.lua
  used[b] = used[b] + units * plan.counts_per_unit
  return units
end

-- Gives a kind the functions that all kinds that lend have in common.
local function lends_units(kind)
  kind.open, kind.load, kind.divide, kind.see, kind.show, kind.rewind = open, load_shares, divide, see, show, own_shares
  kind.forget, kind.report, kind.lend = forget, report, lend
  return rate(kind)
end

-- A token bucket. Its missing ticks are computed from the end of one share to that of the next.
-- Lent units do not come back in between.
local bucket = { base = kinds[TOKEN_BUCKET], is_reservable = true, define = kinds[TOKEN_BUCKET].define }

-- Returns the missing ticks, the instant at which they are missing, and how many of them are lent.
local function bucket_now(b, plan)
  local used, since, shares = used_by[b], since_by[b], list_of[b].shares
  local held = units_after(b, 0) * plan.ticks_per_unit
  --include shares-bucket.lua
  return used, since, held
end

function bucket.used(b, plan)
  return (bucket_now(b, plan))
end

function bucket.advance(b, plan)
  local held
  used[b], since[b], held = bucket_now(b, plan)
  unsettled[b] = min(unsettled[b], used[b] - held)
  drop_ended(b)
end

function bucket.reset_after(b, plan)
  local shares, reset_after = list_of[b].shares, nil
  local used, since, held = bucket_now(b, plan)
  --include shares-reset-after.lua
  return reset_after
end

function bucket.lent_until(b, plan)
  return present_of(b) + plan.share
end

-- A window. Lent units end with it, so its arithmetic is that of the kind without lending.
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

kinds[LENT_TOKEN_BUCKET] = lends_units(bucket)
kinds[LENT_FIXED_WINDOW] = lends_units(lent_window(kinds[FIXED_WINDOW]))
kinds[LENT_SLIDING_WINDOW] = lends_units(lent_window(kinds[SLIDING_WINDOW]))
