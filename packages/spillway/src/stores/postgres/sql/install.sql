--version 1
-- Installs version :VERSION in one statement, all of it or nothing. Run again, it changes nothing.
--
-- Versions live side by side: the names of a version's functions and types begin with its number, and all
-- versions share the tables. So older programs go on while newer ones are deployed, in either order. A later
-- version may add columns that have defaults.
do $install$
begin
  -- Some drivers print a notice for what exists already.
  perform set_config('client_min_messages', 'warning', true);
  -- Of two that install at once, the second waits and finds it done.
  perform pg_advisory_xact_lock(hashtext('spillway.migrations'));
  if to_regnamespace('spillway') is null then
    create schema spillway;
  end if;
  create table if not exists spillway.migrations (
    version int primary key,
    installed_at timestamptz not null default now()
  );
  if exists (select from spillway.migrations where version = :VERSION) then
    return;
  end if;
  if to_regclass('spillway.budgets') is null then
    --include table.sql
  end if;

  --include types.sql
  --include plan.sql
  --include entries.sql
  --include rates.sql
  --include-kinds
  --include lent.sql
  --include kinds.sql
  --include older.sql
  --include reconcile.sql
  --include others.sql
  --include shares.sql
  --include steps.sql
  --include rows.sql
  --include execute-steps.sql
  --include execute.sql
  --include peek.sql
  --include take-from-buckets.sql
  --include sweep.sql

  insert into spillway.migrations (version) values (:VERSION);
end
$install$;
