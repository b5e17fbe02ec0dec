--include bucket.lua
kinds[TOKEN_BUCKET] = rate(bucket)
