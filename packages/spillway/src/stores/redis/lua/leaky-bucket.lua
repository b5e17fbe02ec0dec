-- Leaky bucket: its units leak out as those of a token bucket are refilled. It differs only in that
-- calls queue.
--include bucket.lua
bucket.queues = true
kinds[LEAKY_BUCKET] = rate(bucket)
