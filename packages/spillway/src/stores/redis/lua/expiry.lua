-- How long a key is kept that equals a fresh one after `reset_after` milliseconds, as text. It uses
-- %d, because Redis would convert a number by %.17g, which takes longer than everything else here.
-- Reads  reset_after, linger
-- Sets   expiry
expiry = format("%d", (reset_after < EXACT and reset_after or EXACT) + linger)
