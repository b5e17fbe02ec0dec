-- Installs this version in one statement, all of it or nothing. Run again, or by an older program, it
-- does nothing. What an older version's program calls stays as it is: a function that must change
-- gets a new name.
do $install$
begin
  -- Some drivers print a notice of what there is already.
  perform set_config('client_min_messages', 'warning', true);
  -- Two that install at once: the second waits, and finds it done.
  perform pg_advisory_xact_lock(hashtext('spillway.migrations'));
  if to_regnamespace('spillway') is null then
    create schema spillway;
  end if;
  create table if not exists spillway.migrations (
    version int primary key,
    installed_at timestamptz not null default now()
  );
  if exists (select from spillway.migrations where version >= 1) then
    return;
  end if;

  --include types.sql
  --include table.sql
  --include windows.sql
  --include token-bucket.sql
  --include fixed-window.sql
  --include sliding-window.sql
  --include sliding-log.sql
  --include concurrency.sql
  --include definitions.sql
  --include others.sql
  --include follow.sql
  --include change.sql
  --include told.sql
  --include carry-out.sql
  --include look.sql
  --include take.sql
  --include take-one-each.sql
  --include take-one.sql
  --include sweep.sql

  insert into spillway.migrations (version) values (1);
end
$install$;
