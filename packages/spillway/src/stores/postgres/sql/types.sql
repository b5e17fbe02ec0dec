-- A definition of a limit, ready for arithmetic: see docs/algorithms.
create type v.plan as (
  -- The fields below as text, as `budgets.definition` keeps it.
  definition text,
  kind int,
  rate float8,
  period float8,
  ticks_per_unit float8,
  refill_per_ms float8,
  capacity_ticks float8,
  debt_ticks float8,
  window_alignment float8,
  -- The configured start of windows; null for none.
  start float8,
  -- An instant at which a window of the budget begins.
  anchor float8,
  -- For how many milliseconds units are lent, at most; no part of the definition. Null where a row is read.
  share float8
);

-- The columns of a row that describe usage.
create type v.state as (
  used float8,
  since float8,
  previous float8,
  unsettled float8,
  blocked_until float8,
  entries float8[],
  others spillway.other[],
  older spillway.older,
  -- The record of refusals and penalties, which a row has among its others: see penalties.sql. Null for none.
  penalty float8[]
);
