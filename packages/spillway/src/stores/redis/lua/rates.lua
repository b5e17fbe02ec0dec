-- Rates: the functions common to all kinds. They use a few functions of each kind:
--   used(b, plan)          returns the ticks used now; changes nothing
--   advance(b, plan)       brings a state to now
--   reset_after(b, plan)   returns the milliseconds until nothing is used
-- and these, if a kind differs from the others:
--   define(plan)           sets the ticks of a plan that was read from a definition; default: one a
--                          unit
--   most_counts(plan)      returns the most that settling may bring a state to; default: the
--                          largest exact number
--   record(b, change)      records units that were added or taken back, for a kind with a list
--   is_aligned             its windows stay in place during a block, and move by whole periods
--   is_reservable          units can be taken ahead of time
--   has_history            its states also serve another limit of the same period
--   queues                 promised starts stand: settling takes nothing back
--   counts_units           states count units, because the ticks of a used unit depend on the time

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

-- Replaces an estimate by the true number. Units used beyond the estimate count under all
-- definitions.
local function settle(b, plan, reserved, really_used)
  local kind, excess = plan.algorithm, really_used - reserved
  kind.advance(b, plan)
  local most = (kind.most_counts and kind.most_counts(plan) or EXACT) - used[b] - (previous[b] or 0)
  local least = kind.queues and 0 or -unsettled[b]
  add(b, kind, max(least, min(excess * plan.counts_per_unit, max(0, most))))
  unsettled[b] = min(max(0, unsettled[b] - reserved * plan.counts_per_unit), used[b])
  if excess > 0 and others_of[b] then share(b, plan, excess, NO_LEASE) end
end

-- Begins a state at an instant, with `ticks` used, of which `open` may still be settled.
local function begin(b, plan, ticks, open, at)
  local kind, ticks_per_count = plan.algorithm, plan.ticks_per_unit / plan.counts_per_unit
  if kind.open then kind.open(b, plan) end
  -- `anchors` has an instant at which a window begins.
  used[b], since[b], previous[b] = 0, kind.is_aligned and at - (at - (anchors and anchors[b] or 0)) % plan.period or at, nil
  add(b, kind, ceil(ticks / ticks_per_count))
  unsettled[b] = floor(open / ticks_per_count)
end

-- Whether a state that was written under another plan of its kind can be used unchanged.
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

-- Sets the algorithm of a plan, from its kind.
local function bind(plan)
  plan.algorithm = kinds[plan.kind]
  plan.counts_per_unit = plan.algorithm.counts_units and 1 or plan.ticks_per_unit
end
