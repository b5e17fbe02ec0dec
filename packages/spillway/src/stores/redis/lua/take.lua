-- The one script of Spillway on Redis: carries out the calls of one turn, in order, each of them
-- wholly or not at all, and answers with the states as they were before. What the answers follow
-- from these, the caller works out with the same arithmetic.
--
-- KEYS[1 .. budgets]   the state of each budget
-- KEYS[budgets+1 ..]   the log of each budget under a sliding log, in the order of their states;
--                      where a limit has ceased to be one, its old log, a key of the same slot, is
--                      read as well
--
-- ARGV[1]              JSON: [now, budgets, plans, owners, extras, steps]
--   now       milliseconds since 1970, for tests, where keys linger an hour longer than they are good
--             for; false for this server's own clock
--   budgets   how many there are
--   plans     one list each: [kind, rate, period, capacity, maxReserved, start, scale, gain, full,
--             spare]; kind as in the table `kinds`; maxReserved -1 and start false for none
--   owners    for each budget the number of its plan; empty where there is only one plan
--   extras    for each budget: where its kind has windows, an instant at which one begins; for a
--             sliding log, how many units might be asked for, or -1 to show it all; empty where
--             there are no such kinds
--   steps     numbers; a budget is its place among the states
--               b                       take 1 unit of b
--               -1 m (b count ahead)×m  take from m budgets or from none; ahead is 1 to reserve
--               -2 b reserved used      settle
--               -3 b                    reset
--               -4 b ms                 block
--               -5 b                    unblock
--
-- Replies with a list of whole numbers: now; how many budgets were charged; for each budget used,
-- since, previous, unsettled, blocked until, where used is -1 for a key that isn't ours; then
-- for each log its number of entries and, for each, instant and units: from the oldest as many as
-- were needed, and the newest.
--
-- A state is 88 bytes: six doubles for the definition it was written under, five as above. A key
-- expires at the millisecond at which it equals a fresh one. Numbers are whole and below 2^53, which
-- doubles hold exactly; they are never made text but by %.17g.

local EXACT = 4503599627370496

local now, budgets, plans, owners, extras, steps = unpack(cjson.decode(ARGV[1]))
local linger = now and 3600000 or 0
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- The arithmetic of each kind, made when it is first needed.
local makers = {}
local kinds = setmetatable({}, {
  __index = function(made, number)
    local kind = makers[number]()
    made[number] = kind
    return kind
  end,
})

--include settled.lua
--include windows.lua
--include token-bucket.lua
--include leaky-bucket.lua
--include fixed-window.lua
--include sliding-window.lua
--include sliding-log.lua
--include plans.lua
--include adopt.lua
--include states.lua
--include steps.lua
--include reply.lua
