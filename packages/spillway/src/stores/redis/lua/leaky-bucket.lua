-- Leaky bucket: a token bucket seen from the other side. What is missing there waits here.
--include bucket.lua
bucket.queues = true
kinds[LEAKY_BUCKET] = rate(bucket)
