-- Writes a bucket of which something is used.
local expiry = format("%d", ceil(used / refill_per_ms) + linger)
call("PSETEX", KEYS[b], expiry, pack(STATE, plan.definition, used, since, unsettled))
