-- The register of exceptions: who is blocked or overridden, and why. All versions use it by statements of their
-- own, see postgres/register-statements.ts.
--
--   id        limit, key and type, in hexadecimal: see limiter/exceptions/ids.ts
--   reason    empty for none
--   revision  distinguishes each writing of a row
--   since     when it was written, in milliseconds since 1970
--   until     the instant from which on it may be removed
create /*unlogged*/ table spillway.exceptions (
  id text collate "C" primary key,
  reason text not null,
  revision int8 not null,
  since int8 not null,
  until int8 not null
);
create index exceptions_by_end on spillway.exceptions (until);
