-- A limit made ready for arithmetic: `scale` parts are one unit, `gain` of them come back each
-- millisecond. Kinds: 1 token bucket, 2 leaky bucket, 3 fixed window, 4 sliding window, 5 sliding log,
-- 6 concurrency.
create type spillway.plan as (
  definition text,
  kind int,
  rate double precision,
  period double precision,
  scale double precision,
  gain double precision,
  "full" double precision,
  spare double precision,
  -- An instant at which a window begins.
  anchor double precision
);

-- The columns of a row that say what was used.
create type spillway.state as (
  used double precision,
  since double precision,
  previous double precision,
  unsettled double precision,
  blocked_until double precision,
  log double precision[]
);

-- An array can hold no arrays of different lengths, but these.
create type spillway.log as (entries double precision[]);

-- A state under another definition of its limit, and until when it is kept.
create type spillway.other as (definition text, state spillway.state, until double precision);

-- Those of one budget, as an element of an array.
create type spillway.others as (entries spillway.other[]);

-- A state with those under other definitions.
create type spillway.tracked as (state spillway.state, others spillway.other[]);
