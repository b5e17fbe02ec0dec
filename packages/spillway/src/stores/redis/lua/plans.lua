-- Limits made ready for arithmetic, as the caller sends them and as states remember them.
local BUCKET, LEAKY, FIXED, SLIDING, LOG = 1, 2, 3, 4, 5

local function is_windowed(kind) return kind == FIXED or kind == SLIDING end

local function greatest_divisor(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

-- A plan from the six numbers that define a limit; `planFor` is its specification.
local function plan_of(kind, rate, period, capacity, max_reserved, start)
  local plan = {
    kind = kind, rate = rate, period = period, capacity = capacity, start = start,
    scale = 1, gain = 0, spare = 0,
  }
  if kind == SLIDING then
    plan.scale = period
  elseif kind == BUCKET or kind == LEAKY then
    local shared = greatest_divisor(rate, period)
    plan.scale, plan.gain = period / shared, rate / shared
  end
  plan.full = capacity * plan.scale
  if rate > 0 and kind ~= SLIDING and kind ~= LOG then
    local most = EXACT - plan.full
    plan.spare = max_reserved < 0 and most or math.min(max_reserved * plan.scale, most)
  end
  return plan
end

local NO_START = -1e300

-- The plans that were sent, with the bytes that states remember them by.
local function plans_sent()
  local sent = {}
  for index, values in ipairs(plans) do
    local start = values[6] or NO_START
    sent[index] = {
      kind = values[1], rate = values[2], period = values[3], capacity = values[4], start = start,
      scale = values[7], gain = values[8], full = values[9], spare = values[10],
      windowed = is_windowed(values[1]), algorithm = kinds[values[1]],
      bytes = struct.pack("<dddddd", values[1], values[2], values[3], values[4], values[5], start),
    }
  end
  return sent
end
