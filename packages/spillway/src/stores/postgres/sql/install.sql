--version 4
-- Installs version :VERSION in one statement, all of it or nothing. Run again, it changes nothing.
--
-- Versions live side by side: the names of a version's functions and types begin with its number, and all
-- versions share the tables. So older programs go on while newer ones are deployed, in either order. A later
-- version may add columns that have defaults.
do $install$
declare
  path constant pg_catalog.text := pg_catalog.current_setting('search_path');
  messages constant pg_catalog.text := pg_catalog.current_setting('client_min_messages');
  obstacle pg_catalog.text;
begin
  -- Names mean what Postgres itself has, and nobody else's functions, operators and types. This lasts until the
  -- end of the statement, or of the transaction that fails with it.
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  -- Some drivers print a notice for what exists already.
  perform set_config('client_min_messages', 'warning', true);
  -- Of two that install at once, the second waits and finds it done.
  perform pg_advisory_xact_lock(hashtext('spillway.migrations'));
  <<install>>
  begin
    if to_regnamespace('spillway') is null then
      create schema spillway;
    end if;
    --include strangers.sql
    create table if not exists spillway.migrations (
      version int primary key,
      installed_at timestamptz not null default now()
    );
    if to_regclass('spillway.exceptions') is null then
      --include exceptions.sql
    end if;
    exit install when exists (select from spillway.migrations where version = :VERSION);
    if to_regclass('spillway.budgets') is null then
      --include table.sql
    end if;

    --include types.sql
    --include plan.sql
    --include entries.sql
    --include entries-in-order.sql
    --include rates.sql
    --include-kinds
    --include lent.sql
    --include kinds.sql
    --include older.sql
    --include reconcile.sql
    --include overrides.sql
    --include others.sql
    --include shares.sql
    --include steps.sql
    --include penalties.sql
    --include rows.sql
    --include transactions.sql
    --include execute-steps.sql
    --include execute.sql
    --include override.sql
    --include peek.sql
    --include take-from-buckets.sql
    --include take-present.sql
    --include sweep.sql

    insert into spillway.migrations (version) values (:VERSION);
  end install;
  perform set_config('client_min_messages', messages, true);
  perform set_config('search_path', path, true);
end
$install$;
