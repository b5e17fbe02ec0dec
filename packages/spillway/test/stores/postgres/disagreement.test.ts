import pg from "pg";
import { test } from "vitest";
import { migrate, postgresStore, type StoreEvent } from "../../../src/stores/postgres/index.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { expectSafe } from "../disagreement.ts";

/** A function that counts one more than is charged, or no more than that. */
const counting = (more: 0 | 1) => `
  create or replace function spillway.steps_counted(charged int) returns int language sql
  as 'select charged + ${more}'`;

/** The functions that a store calls, each in a wrapper that counts anew. */
const WRAPPED = `
create schema real;
do $do$
declare
  one record;
begin
  for one in
    select oid, proname as name, pg_get_function_identity_arguments(oid) as parameters,
      array_to_string(proargnames, ', ') as names
    from pg_proc
    where pronamespace = 'spillway'::regnamespace and proname in ('v4_execute', 'v4_take_from_buckets', 'v4_take_present')
  loop
    execute format('alter function spillway.%I(%s) set schema real', one.name, one.parameters);
    execute format($f$
      create function spillway.%I(%s) returns text language plpgsql as $body$
      declare
        reply constant text := real.%I(%s);
        charged constant int := split_part(reply, ' ', 2);
      begin
        return regexp_replace(reply, ' \\d+ ', ' ' || spillway.steps_counted(charged) || ' ');
      end
      $body$ $f$, one.name, one.parameters, one.name, one.names);
  end loop;
end
$do$`;

test("functions that count otherwise are no outage, and admit nothing", async () => {
  await using server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  await migrate(pool);
  await pool.query(counting(0));
  await pool.query(WRAPPED);
  const events: StoreEvent[] = [];
  const store = postgresStore(pool, { deadline: 10_000, onEvent: (event) => events.push(event) });
  const miscounts = (doesSo: boolean) => pool.query(counting(doesSo ? 1 : 0));
  await expectSafe({ store, events, miscounts });
  await pool.end();
});
