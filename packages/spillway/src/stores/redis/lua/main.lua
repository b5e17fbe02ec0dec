-- The one script of Spillway on Redis. Executes the commands of one micro-batch in order, each of them
-- wholly or not at all, and returns the states as they were before. The caller computes the answers from
-- these, with the same arithmetic.
--
-- KEYS[1 .. budgets]   the state of each budget
-- KEYS[budgets+1 ..]   the list of each budget whose kind keeps one: a list of entries for a sliding log,
--                      a sorted set of leases for a concurrency limit. A list that a limit has left behind
--                      under another kind has a key of the same slot, and is read as well
--
-- ARGV[1]   plans, as JSON: a list of what `plan_from` takes, of which the definition is kind, rate, period,
--           capacity, maxReserved and start to the base 36, "-" for none, and a line feed
-- ARGV[2]   missing or empty to take 1 unit of each budget under the first plan; else an object as JSON:
--             budgets   how many there are
--             owners    for each budget the number of its plan; missing where all have the first
--             takes_units   true where the steps take units of rates without extras, and nothing else
--             extras    for each budget, where its kind has windows, an instant at which one begins; where
--                       it keeps a list, how many units might be asked for, or -1 to return all of it;
--                       missing where no kind needs them
--             steps     numbers, see store/port/protocol.ts; missing to take 1 unit of each budget
-- ARGV[3]   now, for tests: milliseconds since 1970. Keys then stay an hour longer than they are good for.
--           Default: this server's clock
--
-- The reply is a list of whole numbers. See SCRIPT_REPLY in protocol.ts for the fields of each part:
--   REPLY_HEAD, then REPLY_STATE for each budget,
--   how many budgets are windowed or blocked, then REPLY_MORE for each of them,
--   for each budget whose kind keeps a list, how many entries follow, then REPLY_ENTRY or REPLY_LEASE for
--   each: the oldest ones, as many as the answers depend on, and the newest; or the named ones
--
-- A state is some 40 bytes, and some 50 more for each other definition that its limit has while it changes.
-- A key expires at the millisecond at which it equals a fresh one. Numbers are whole and below 2^53, which
-- doubles hold exactly. They are never made text by tostring or .., which keep 14 digits.
--
-- Functions are created on each call. So those that few calls need are created only where they are needed.

local pack, unpack_bytes, format, find = struct.pack, struct.unpack, string.format, string.find
local call, min, max, floor, ceil = redis.call, math.min, math.max, math.floor, math.ceil
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
-- A value is a definition, its NUMBERS and, where one of them is not 0, its MORE. While a limit has several
-- definitions, the states under the others follow: see definitions.lua.
local NUMBERS, NUMBERS_BYTES = "<I7i7I7", 21
local MORE, MORE_BYTES = "<I7i7", 14
-- A definition and its NUMBERS.
local STATE = "<c0I7i7I7"

local function plan_from(definition, kind, rate, period, ticks_per_unit, refill_per_ms, capacity_ticks, debt_ticks)
  return {
    definition = definition, kind = kind, rate = rate, period = period, ticks_per_unit = ticks_per_unit,
    refill_per_ms = refill_per_ms, capacity_ticks = capacity_ticks, debt_ticks = debt_ticks,
  }
end
local plans, request = cjson.decode(ARGV[1]), nil
for index = 1, #plans do plans[index] = plan_from(unpack(plans[index])) end
if ARGV[2] and ARGV[2] ~= "" then request = cjson.decode(ARGV[2]) end
local budgets = request and request.budgets or #KEYS
local values = call("MGET", unpack(KEYS, 1, min(budgets, MOST_ARGUMENTS)))
for first = MOST_ARGUMENTS + 1, budgets, MOST_ARGUMENTS do
  local chunk = call("MGET", unpack(KEYS, first, min(first + MOST_ARGUMENTS - 1, budgets)))
  for index = 1, #chunk do values[first + index - 1] = chunk[index] end
end

local owners, extras, steps
if request then owners, extras, steps = request.owners, request.extras, request.steps end
if not request or request.takes_units then
  --include fast-path.lua
end

-- A state is its place, `b`, in these columns: a table for each state would cost more than the arithmetic.
local plan_of, used, since, unsettled = {}, {}, {}, {}
-- Columns that few states need: units of the window before; the instant at which a block ends; entries or
-- leases; the places, beyond those of budgets, of the states under other definitions of the limit, and
-- until when each of those is kept.
local previous, blocked, list_of, others_of, until_of = {}, {}, {}, {}, {}
-- Marks: the key holds something that is not ours; it is to be written; its list is to be deleted.
local foreign, changed, had_list = {}, {}, {}
-- Defined by definitions.lua where they are needed.
local share, begin_if_empty, encode_others

--include read.lua
-- How many fields follow the number of each step, and how many numbers a step is in all.
local FIELDS, width_of
if steps then
  --fields
  function width_of(at)
    local step, asks = steps[at], steps[at + 1]
    if step > 0 then return 1 end
    return 1 + FIELDS[step] + (step == TAKE and ASK * asks or step == TAKE_UNITS and asks or 0)
  end
end
local kinds = {}
--include rates.lua
--kinds
for _, plan in ipairs(plans) do bind(plan) end
--include prepare.lua
--include snapshot.lua
--include steps.lua
--include save.lua

reply[REPLY_CHARGED] = charged
return reply
