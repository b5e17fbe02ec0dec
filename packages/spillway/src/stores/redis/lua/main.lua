-- The one script of Spillway on Redis. It executes the commands of one micro-batch in order, each
-- of them wholly or not at all. It returns the states as they were before. The caller computes the
-- answers from these, with the same arithmetic.
--
-- KEYS   the state of each budget. A sliding log or a concurrency limit may store a part apart, in
--        a key that is derived from this one and has the same slot. That key is not declared,
--        because most states have none. Redis refuses requests in a slot that is being moved if one
--        of their keys is missing.
--
-- ARGV[1]   plans, as JSON: a list of the arguments of `plan_from`. A definition is kind, rate,
--           period, capacity, maxReserved and start, in base 36, separated by commas, and then a
--           line feed. A default is "-", or is left out at the end. `numbers` is the format of a
--           state's usual value: see encode.lua.
-- ARGV[2]   missing or empty to take 1 unit of each budget under the first plan. A number to take 1
--           unit of the only budget: its anchor, see below. Else an object as JSON:
--             owners    for each budget, the number of its plan; missing if all have the first
--             takes_units   true if all steps only take units, and no kind keeps a list
--             lends     true if each step takes a unit of one budget or is a draw, and no kind
--                       keeps a list except of shares
--             logs      true if it takes 1 unit of each budget, and all of them are sliding logs
--             leases    true if there is one step for each budget, in their order, and each takes,
--                       releases or renews a lease
--             penalties   true if a step sets a penalty
--             anchors   for each budget, an instant at which a window begins, or 0 if its kind has
--                       none; then one for the plan of an override; missing if no kind has windows
--             steps     numbers, see stores/port/protocol.ts; missing to take 1 unit of each budget
-- ARGV[3]   the time for tests, in milliseconds since 1970. Keys then expire an hour late. Default:
--           this server's clock
--
-- A unit of one bucket for each key has 5 arguments, or 7 with the time: see unit-path.lua.
--   ARGV[1]        the plan, as above; read only if a state is unusual
--   ARGV[2]        its definition
--   ARGV[3] to [5]   its `ticks_per_unit`, `refill_per_ms` and `capacity_ticks`
--   ARGV[7]        the time for tests
--
-- One step on a lease of one budget has 6, 8 or 9 arguments: see lease-one.lua.
--   ARGV[1], [2]   the plan's definition, and `numbers`
--   ARGV[3], [4]   its period and capacity
--   ARGV[5], [6]   the number of the step, which takes, releases or renews, and the id of the lease
--   ARGV[7], [8]   its units, and the headroom; default: 1 and 0
--   ARGV[9]        the time for tests
--
-- The reply is a list of whole numbers. For a unit of one key of a bucket, and for such a step, it is
-- a text of them: see lease-reply.lua. See SCRIPT_REPLY in protocol.ts for the fields of each part:
--   - REPLY_HEAD, then REPLY_STATE for each budget;
--   - the number of budgets that have settled units, a previous window, a block, a penalty record or
--     an override, then REPLY_MORE for each of them. If there is a record, `blockedUntil` is below 0,
--     and REPLY_RECORD follows. If an override is in force, `place` is below 0, and the fields of
--     REPLY_OVERRIDE follow, and REPLY_OTHER for each of its `others`;
--   - for each budget whose kind keeps a list: the number of entries, then REPLY_ENTRY or
--     REPLY_LEASE for each.
-- Shares are shown as leases, all of them. In other lists, one entry may stand for several that no
-- answer distinguishes, at the instant of the last one. Then the number of a log's entries is below
-- 0, and the id of such a lease is below -1.
-- If the server refuses writes, nothing is written, and `charged` in the reply is below 0: see
-- unwritten.lua.
--
-- A state has 20 to 35 bytes, and about 50 more for each other definition of its limit while that
-- changes. A key expires at the millisecond at which it equals a fresh one; a bucket's may expire
-- later, by a quarter of that time: see any-text.lua. Numbers are whole and below 2^53, so doubles
-- hold them exactly. They are never converted to text by tostring or .., which keep only 14 digits.
--
-- Lua creates functions anew on each call. So functions that few calls need are created only on
-- these calls.

local pack, unpack_bytes, format, find = struct.pack, struct.unpack, string.format, string.find
local call, try, floor, ceil = redis.call, redis.pcall, math.floor, math.ceil

-- The units of a bucket, and one step on a lease, are sent in a form of their own. The number of
-- arguments says which form it is.
local count = #ARGV
local are_units = count == 5 or count == 7
local is_one = count > 5 and not are_units
local now, linger = ARGV[are_units and 7 or is_one and 9 or 3], 0
if now then now, linger = now + 0, 3600000
else
  local time = call("TIME")
  now = time[1] * 1000 + floor(time[2] / 1000)
end
local names, budgets, values = KEYS, #KEYS, nil
if are_units then
  --include unit-path.lua
end
--numbers
local byte, min, max = string.byte, math.min, math.max
-- Numbers up to this, and sums of two of them, are exact: 2^52.
local EXACT = 4503599627370496
-- The most arguments of one command: Lua's stack ends at 8000.
local MOST_ARGUMENTS = 4000
-- The id of the lease without an owner.
local NO_LEASE = 0
-- Flags in the marks of a value. A value is a definition and its numbers: see decode.lua. Rare
-- parts follow, in this order, if their flag is set.
local ALL_SETTLED, SOME_SETTLED, HAS_PREVIOUS, HAS_BLOCK, HAS_OTHERS, HAS_APART = 4, 8, 16, 32, 64, 128
-- The instant at which a block ends.
local BLOCK_END = "<I7"
-- The states under other definitions, while a limit has several, after the end of an override and the
-- penalty record: see definitions.lua.
local OTHERS = "<I4c0"
-- The description of the part of a list that is stored apart. The part in the value follows: see
-- lists.lua.
local APART = "<I4i7i6"
-- A share: the instant at which it ends, its units and its id. No key has more than MOST_SHARES at
-- once. Tables keep the instant, units and id of all shares one after the other.
local SHARE, SHARE_BYTES, SHARE_WIDTH, MOST_SHARES = "<i6I4I7", 17, 3, 256
local band = bit.band

local function plan_from(
  definition, kind, rate, period, ticks_per_unit, refill_per_ms, capacity_ticks, debt_ticks, numbers, share
)
  return {
    numbers = numbers, bytes = #definition + (kind < FIXED_WINDOW and 16 or 10),
    definition = definition, kind = kind, rate = rate, period = period, ticks_per_unit = ticks_per_unit,
    refill_per_ms = refill_per_ms, capacity_ticks = capacity_ticks, debt_ticks = debt_ticks, share = share,
  }
end
local plans, request, owners, anchors, steps
if not is_one then
  plans = cjson.decode(ARGV[1])
  for index = 1, #plans do plans[index] = plan_from(unpack(plans[index])) end
  local fields = not are_units and ARGV[2]
  local anchor = fields and tonumber(fields)
  if anchor then anchors = { anchor }
  elseif fields and fields ~= "" then
    request = cjson.decode(fields)
    owners, anchors, steps = request.owners, request.anchors, request.steps
  end
  values = values or call("MGET", unpack(KEYS, 1, min(budgets, MOST_ARGUMENTS)))
  for first = MOST_ARGUMENTS + 1, budgets, MOST_ARGUMENTS do
    local chunk = call("MGET", unpack(KEYS, first, min(first + MOST_ARGUMENTS - 1, budgets)))
    for index = 1, #chunk do values[first + index - 1] = chunk[index] end
  end
end
if is_one or request and request.leases then
  --include lease-path.lua
elseif request and request.lends then
  --include lent-path.lua
elseif request and request.logs or not request and plans[1].kind == SLIDING_LOG then
  --include log-path.lua
elseif not request or request.takes_units then
  --include fast-path.lua
end

-- A state is an index, `b`, into these columns. A table for each state would cost more than the
-- arithmetic.
local plan_of, used, since, unsettled = {}, {}, {}, {}
-- Columns that few states need: units of the previous window; the end of a block; a log or leases;
-- the indexes of the states under other definitions of the limit, which follow those of the
-- budgets; until when each of those is kept; until when the definition is an override; and the
-- penalty record: the refusals, until when they count, the level, and when that is forgotten.
local previous, blocked, list_of, others_of, until_of, overridden, record_of = {}, {}, {}, {}, {}, {}, {}
-- Parts of values, until they are needed. `home` has the budget of an index beyond those of
-- budgets.
local text_of_others, apart_of, inline_of, home = {}, {}, {}, {}
-- Flags: the key holds something that is not ours; the state must be written.
local foreign, changed = {}, {}
-- Lists as they were before the steps; lists that are not used any more.
local seen_of, forgotten = {}, {}
-- Defined by definitions.lua on calls that need it.
local share, begin_if_empty, encode_others, write_others, copy_list, show_override, override
-- Defined by lists.lua on calls that need it.
local list_key, may_use

--include read.lua
-- The number of fields after each step's number, and the width of a step in numbers.
local FIELDS, width_of
if steps then
  --fields
  function width_of(at)
    local step, asks = steps[at], steps[at + 1]
    if step > 0 then return 1 end
    if step == DRAW then return 1 + FIELDS[DRAW] + 2 * (steps[at + 6] + steps[at + 7]) end
    local is_of_asks = step == TAKE or step == LOOK
    return 1 + FIELDS[step] + (is_of_asks and ASK * asks or step == TAKE_UNITS and asks or 0)
  end
end
local kinds = {}
--include rates.lua
-- A kind that lends uses the functions of the kind without lending.
local lends = needed[LENT_TOKEN_BUCKET] or needed[LENT_FIXED_WINDOW] or needed[LENT_SLIDING_WINDOW]
if lends then needed[TOKEN_BUCKET], needed[FIXED_WINDOW], needed[SLIDING_WINDOW] = true, true, true end
--kinds
if odd or lends then
  --include shares.lua
end
for _, plan in ipairs(plans) do bind(plan) end
local keep_lists = odd or needed[SLIDING_LOG] or needed[CONCURRENCY] or lends
--include prepare.lua
--include snapshot.lua
--include steps.lua
--include show.lua
--include save.lua

reply[REPLY_CHARGED] = charged
return reply
