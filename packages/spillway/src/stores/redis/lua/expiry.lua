-- What a key that is over after some milliseconds is kept for. By %d: a number would be made text by %.17g,
-- which takes longer than all else here.
-- Reads  reset_after, linger
-- Sets   expiry
local expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
