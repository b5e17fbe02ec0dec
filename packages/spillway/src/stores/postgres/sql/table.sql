-- Where states are kept: a row for each budget that differs from a fresh one, and for some that no
-- longer do, until they are swept.
--
--   id             whose budget, under which limit: a length, the limit's name, "=" and the key
--   plan           the definition it was written under: the kind's number, rate, period, capacity,
--                  maxReserved and start, with ":" between them and "-" for no bound and no start;
--                  empty for a row that was made to be locked
--   used, since, previous, unsettled
--                  what is known, in parts and milliseconds since 1970 (docs/algorithms)
--   blocked_until  until when everything is refused; 0 for no block
--   fresh_at       from when on the row says what no row would say
--   log            the admitted asks of a sliding log, from the oldest: instant, units, and so on; the
--                  leases of a concurrency limit, from the one that ends first: until, units, id, and so on
--   others         the same under other definitions of the limit, while several are in use; null for none
--
-- Numbers are whole and below 2^53, which double precision holds exactly: the arithmetic is then the
-- same, to the bit, as the one that this is a port of.
create /*unlogged*/ table spillway.budgets (
  id text collate "C" primary key,
  plan text not null,
  used double precision not null,
  since double precision not null,
  previous double precision not null,
  unsettled double precision not null,
  blocked_until double precision not null,
  fresh_at double precision not null,
  log double precision[],
  others spillway.other[]
)
-- Room in each page for the next versions of its rows: they need no new entries in the index then, and
-- are cleared away without a vacuum. What is busy is vacuumed often, while that is little work.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
