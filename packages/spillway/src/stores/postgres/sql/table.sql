-- The state of a budget under another definition of its limit, kept until an instant.
create type spillway.other as (
  definition text,
  used float8,
  since float8,
  previous float8,
  unsettled float8,
  entries float8[],
  until float8
);

-- A row for each budget that differs from a fresh one. A row that has become fresh stays until it is swept.
--
--   id             the budget: the length of the limit's name, the name, "=" and the key
--   definition     the definition under which the row was written: see postgres/statements.ts; empty for a
--                  row that was only made to be locked
--   used, since, previous, unsettled
--                  usage, in ticks or units and milliseconds since 1970 (docs/algorithms)
--   blocked_until  the end of a block; 0 for no block
--   fresh_at       the instant from which on the row equals no row
--   entries        of a sliding log: instant, units, and so on, oldest first; of a concurrency limit:
--                  expiry, units, id of each lease, and so on, first to expire first
--   others         the state under other definitions, while several are in use; null for none
--
-- All numbers are whole and below 2^53. float8 holds them exactly, so that the arithmetic agrees with
-- TypeScript's to the bit.
create /*unlogged*/ table spillway.budgets (
  id text collate "C" primary key,
  definition text not null,
  used float8 not null,
  since float8 not null,
  previous float8 not null,
  unsettled float8 not null,
  blocked_until float8 not null,
  fresh_at float8 not null,
  entries float8[],
  others spillway.other[]
)
-- Free space in each page keeps updates out of the index and lets pages be cleaned without a vacuum.
-- Busy rows are vacuumed often, while that is little work.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
