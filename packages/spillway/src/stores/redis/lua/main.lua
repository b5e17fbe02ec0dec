-- The one script of Spillway on Redis. Executes the commands of one micro-batch in order, each of them
-- wholly or not at all, and returns the states as they were before. The caller computes the answers from
-- these, with the same arithmetic.
--
-- KEYS   the state of each budget. What a sliding log or a concurrency limit keeps apart has a key that follows
--        from this one and has the same slot. It is not declared: most states have none, and in a slot that is
--        being moved Redis refuses requests of which one key is missing
--
-- ARGV[1]   plans, as JSON: a list of what `plan_from` takes, of which the definition is kind, rate, period,
--           capacity, maxReserved and start to the base 36, "-" for what has its default and is not at the end,
--           and a line feed
-- ARGV[2]   missing or empty to take 1 unit of each budget under the first plan; else an object as JSON:
--             owners    for each budget the number of its plan; missing where all have the first
--             takes_units   true where the steps take units, of kinds that keep no list, and nothing else
--             lends     true where the steps take a unit each, or draw, of kinds that keep no list or lend, and nothing else
--             anchors   for each budget, where its kind has windows, an instant at which one begins; missing
--                       where no kind has any
--             steps     numbers, see stores/port/protocol.ts; missing to take 1 unit of each budget
-- ARGV[3]   now, for tests: milliseconds since 1970. Keys then stay an hour longer than they are good for.
--           Default: this server's clock
--
-- The reply is a list of whole numbers. See SCRIPT_REPLY in protocol.ts for the fields of each part:
--   REPLY_HEAD, then REPLY_STATE for each budget,
--   how many budgets are windowed or blocked, then REPLY_MORE for each of them,
--   for each budget whose kind keeps a list, how many entries follow, then REPLY_ENTRY or REPLY_LEASE for
--   each; shares are shown as leases, all of them. Else one entry stands for all that nobody needs to tell apart, at the instant of the last of them. Where that
--   may be so, the number of a log's entries is below 0, and so is the id of a lease
-- Where the server takes no writes, nothing is written, and how much was charged is below 0: see unwritten.lua
--
-- A state is some 20 to 30 bytes, and some 50 more for each other definition that its limit has while it changes.
-- A key expires at the millisecond at which it equals a fresh one. Numbers are whole and below 2^53, which
-- doubles hold exactly. They are never made text by tostring or .., which keep 14 digits.
--
-- Functions are created on each call. So those that few calls need are created only where they are needed.

local pack, unpack_bytes, format, find, byte = struct.pack, struct.unpack, string.format, string.find, string.byte
local call, try, min, max, floor, ceil = redis.call, redis.pcall, math.min, math.max, math.floor, math.ceil
-- Numbers up to this, and sums of two of them, are exact: 2^52.
local EXACT = 4503599627370496
-- The most arguments of one command: Lua's stack ends at 8000.
local MOST_ARGUMENTS = 4000
-- The id of the lease that nobody holds.
local NO_LEASE = 0
--numbers

local now, linger = tonumber(ARGV[3]), 3600000
if not now then
  local time = call("TIME")
  now, linger = time[1] * 1000 + floor(time[2] / 1000), 0
end
-- A value is a definition and its numbers: see decode.lua. What is unusual follows, in this order, as marks say.
local ALL_SETTLED, SOME_SETTLED, HAS_PREVIOUS, HAS_BLOCK, HAS_OTHERS, HAS_APART = 4, 8, 16, 32, 64, 128
-- The instant at which a block ends.
local BLOCK_END = "<I7"
-- While a limit has several definitions, the states under the others: see definitions.lua.
local OTHERS = "<I4c0"
-- Of a list, what is kept apart; then what is kept here: see lists.lua.
local APART = "<I4i7i6"
-- Units that are lent: until when, how many, and an id. No more of a key are out at once.
-- Of each, instant, units and id are kept one after the other.
local SHARE, SHARE_BYTES, SHARE_WIDTH, MOST_SHARES = "<i6I4I7", 17, 3, 256
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
  --include fast-path.lua
elseif request.lends then
  --include lent-path.lua
end

-- A state is its place, `b`, in these columns: a table for each state would cost more than the arithmetic.
local plan_of, used, since, unsettled = {}, {}, {}, {}
-- Columns that few states need: units of the window before; the instant at which a block ends; a log or
-- leases; the places, beyond those of budgets, of the states under other definitions of the limit, and
-- until when each of those is kept.
local previous, blocked, list_of, others_of, until_of = {}, {}, {}, {}, {}
-- Parts of values, until they are needed; the budget that a place beyond those of budgets belongs to.
local text_of_others, apart_of, inline_of, home = {}, {}, {}, {}
-- Marks: the key holds something that is not ours; it is to be written.
local foreign, changed = {}, {}
-- Lists as they were before the steps; lists that nothing leads to any more.
local seen_of, forgotten = {}, {}
-- Defined by definitions.lua where they are needed.
local share, begin_if_empty, encode_others, write_others, copy_list
-- Defined by lists.lua where they are needed.
local list_key, may_use

--include read.lua
-- How many fields follow the number of each step, and how many numbers a step is in all.
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
-- What lends does as its kind does without that.
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
