-- The one script of Spillway on Redis: carries out the calls of one turn, in order, each of them
-- wholly or not at all, and answers with the states as they were before. What the answers follow
-- from these, the caller works out with the same arithmetic.
--
-- KEYS[1 .. budgets]   the state of each budget
-- KEYS[budgets+1 ..]   the log of each budget under a sliding log, a list, and the leases of each under
--                      a concurrency limit, a sorted set, in the order of their states; where a limit
--                      has ceased to be one, what it left, a key of the same slot, is read as well
--
-- ARGV[1]   now: milliseconds since 1970, for tests, where keys linger an hour longer than they are
--           good for; empty for this server's own clock
-- ARGV[2]   budgets: how many there are
-- ARGV[3]   owners: for each budget the number of its plan, as JSON; empty where all have the first
-- ARGV[4]   extras, as JSON: for each budget, where its kind has windows, an instant at which one
--           begins; for a sliding log or a concurrency limit, how many units might be asked for, or
--           -1 to show it all; empty where there are no such kinds
-- ARGV[5]   steps, as JSON: numbers, of which a budget is its place among the states; empty to take
--           1 unit of each budget in turn
--           (store/port/protocol.ts)
-- ARGV[6 ..]  plans, seven each: definition (kind, rate, period, capacity, maxReserved and start as a
--             text to the base 36, with "-" for no bound and no start), scale, gain, full, spare,
--             rate, period
--
-- Replies with a list of whole numbers: now; how many budgets were charged; for each budget used
-- (-1 for a key that isn't ours), now - since, used - unsettled, so that few digits travel; how many
-- budgets have more to tell and, for each, its place, previous, blocked until; then for each log its
-- number of entries and, for each, instant and units: from the oldest as many as were needed, and the
-- newest; and for each concurrency limit its number of leases and, for each, the instant at which it is
-- forgotten, units and id: in this order as many as were needed, and those that steps name.
--
-- A state is some 40 bytes, and some 50 more for each further definition that its limit has while it
-- changes: the definition it was written under, a line's end, then its numbers. A key
-- expires at the millisecond at which it equals a fresh one. Numbers are whole and below 2^53, which
-- doubles hold exactly; they are never made text by tostring or .., which keep 14 digits.

-- Functions are made only where they are needed: for a single ask, making all of them would cost more
-- than the ask itself.

local pack, unpack_bytes, format = struct.pack, struct.unpack, string.format
local call, min, max, floor, ceil = redis.call, math.min, math.max, math.floor, math.ceil
local EXACT = 4503599627370496
-- The most arguments that one command is given: Lua's stack ends at 8000.
local AT_ONCE = 4000
--numbers

local now, budgets, linger = tonumber(ARGV[1]), tonumber(ARGV[2]), 3600000
if not now then
  local time = call("TIME")
  now, linger = time[1] * 1000 + floor(time[2] / 1000), 0
end

--include straight.lua

-- The states, a column each for what they say; a state is its place, b. Columns, because a table for
-- each state would cost more than all the arithmetic.
local plan_of, used, since, unsettled = {}, {}, {}, {}
local owners, extras = ARGV[3] ~= "" and cjson.decode(ARGV[3]), ARGV[4] ~= "" and cjson.decode(ARGV[4])
local steps = ARGV[5] ~= "" and cjson.decode(ARGV[5])
-- What only some have: units of a window before, an instant until which they are blocked, a log, leases.
local previous, blocked, log_of, leases_of = {}, {}, {}, {}
-- Marks: something else is kept here; this is to be kept.
local foreign, changed = {}, {}
-- Of states that were written under another definition, the kind they had.
local kind_before = {}
-- While a limit has several definitions: the places of the states under the others, beyond those of
-- budgets; of these the definition, until when they are kept, and their lists as they were read.
local others_of, definition_of, until_of, entries_of, new_place = {}, nil, nil, nil, nil

--include plans.lua
--include read.lua
-- Whether more may be asked than one unit of states that are there: what that takes is made only then.
local more_than_one = fresh or odd or steps
-- Declared here, for what defines them may be left out.
local kinds, settled, window_start, windows_gone = {}, nil, nil, nil
local elements_of, numbers_of, check_orphan, share, release_others, renew_others

if more_than_one then
  --include settled.lua
end
if needed[FIXED_WINDOW] or needed[SLIDING_WINDOW] then
  --include windows.lua
end
if needed[TOKEN_BUCKET] or needed[LEAKY_BUCKET] then
  --include token-bucket.lua
end
if needed[LEAKY_BUCKET] then
  --include leaky-bucket.lua
end
if needed[FIXED_WINDOW] then
  --include fixed-window.lua
end
if needed[SLIDING_WINDOW] then
  --include sliding-window.lua
end
if needed[SLIDING_LOG] or needed[CONCURRENCY] then
  --include lists.lua
end
if needed[SLIDING_LOG] then
  --include sliding-log.lua
end
if needed[CONCURRENCY] then
  --include concurrency.lua
end
--include follow.lua
--include tell.lua
--include steps.lua
--include save.lua

reply[2] = charged
return reply
