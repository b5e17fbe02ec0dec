-- What a row knows of the older entries of its list, which have rows of their own: see older.sql.
--
--   list     whose they are
--   past     those up to here have expired; of a log a position, of leases an instant
--   last     those beyond do not count: where the newest entries in the row itself go on
--   removed  ids of leases that are to be deleted; null in a row
create type spillway.older as (list uuid, past float8, last float8, removed float8[]);

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
--                  expiry, units, id of each lease, and so on, first to expire first; the same of each share of
--                  a limit of which units are lent
--                  of a long list the newest of them
--   others         the state under other definitions, while several are in use; null for none
--   older          what is known of the rest of a long list; null for none
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
  others spillway.other[],
  older spillway.older
)
-- Free space in each page keeps updates out of the index and lets pages be cleaned without a vacuum.
-- Rows that were swept are vacuumed often, and without pauses, while that is little work.
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- The older entries of long lists, a row each. Written once, under the lock of the budget's row.
--
--   list     the list that `budgets.older` names
--   id       of a lease; of an entry of a log its position: all units of the list up to and including it
--   instant  of an entry of a log; at which a lease expires
--   units    of the entry
create /*unlogged*/ table spillway.entries (
  list uuid,
  id float8,
  instant float8 not null,
  units float8 not null,
  primary key (list, id)
)
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
create index entries_by_instant on spillway.entries (list, instant, id);
