/** A client of a pool's comes back, and what comes back can be lent again. */
import { Client, Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Database } from "../../../src/stores/postgres/clients/connect.ts";
import { adaptTransaction } from "../../../src/stores/postgres/clients/transaction-adapter.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { until } from "../../servers/until.ts";
import { DIE, ECHO, FAIL, never, select } from "./statements.ts";

const PROCESS = select("pg_backend_pid()::text");

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("a pool", () => {
  let pool: Pool;
  let database: Database;
  beforeEach(() => {
    pool = new Pool({ connectionString: server.url, max: 3 });
    database = connect(pool);
    return () => pool.end();
  });

  test("has all its clients back, whatever happened to them", async () => {
    const statements = Array.from({ length: 60 }, (_, n) => [ECHO, FAIL, DIE][n % 3] ?? ECHO);
    const late = [never, () => true];
    await Promise.allSettled(statements.map((one, n) => database.run(one, late[n % 2] ?? never)));
    expect(await database.run(ECHO, never)).toContain("!");
    expect(pool.idleCount).toBe(pool.totalCount);
    expect(pool.waitingCount).toBe(0);
  });

  test("keeps a client whose statement alone has failed", async () => {
    const process = await database.run(PROCESS, never);
    await expect(database.run(FAIL, never)).rejects.toThrow("division by zero");
    await expect(database.run(select("null::text"), never)).rejects.toThrow("null");
    expect(await database.run(PROCESS, never)).toBe(process);
  });

  test("closes a client whose statement took longer than the driver waits", async () => {
    const hasty = new Pool({ connectionString: server.url, max: 1, query_timeout: 50 });
    const slow = connect(hasty).run(select("pg_sleep(60)::text"), never);
    await expect(slow).rejects.toThrow("timeout");
    expect(await connect(hasty).run(ECHO, never)).toContain("!");
    await hasty.end();
  });

  test("refuses a client that came back in a transaction, and closes it", async () => {
    const client = await pool.connect();
    await client.query("begin");
    client.release();
    await expect(database.run(ECHO, never)).rejects.toThrow("has an open transaction");
    expect(await database.run(ECHO, never)).toContain("!");
  });

  test("does not lend a client again that a script has left in a transaction", async () => {
    await database.script("begin; select 1");
    expect(pool.totalCount).toBe(0);
    expect(await database.run(ECHO, never)).toContain("!");
  });

  test("outlives a server that dies under it, for its errors are heard", async () => {
    await database.run(ECHO, never);
    const rejected = expect(database.run(select("pg_sleep(60)::text"), never)).rejects.toThrow();
    await until(() => pool.idleCount === 0, { what: "it sleeps" });
    await server.restart();
    await rejected;
    expect(await database.run(ECHO, never)).toContain("!");
  });

  test("rejects where there is no server, with the driver's own error", async () => {
    const nowhere = new Pool({ host: "127.0.0.1", port: 1 });
    const error = { code: "ECONNREFUSED" };
    await expect(connect(nowhere).run(ECHO, never)).rejects.toMatchObject(error);
  });
});

describe("a client", () => {
  let client: Client;
  beforeEach(async () => {
    client = new Client(server.url);
    await client.connect();
    return () => client.end();
  });

  test("runs one statement after another, and none that is late when its turn comes", async () => {
    const { run } = connect(client);
    let isLate = false;
    const first = run(select("pg_sleep(0.02)::text"), never);
    const second = run(ECHO, () => isLate);
    isLate = true;
    expect(await first).toBe("");
    await expect(second).rejects.toThrow("no connection was free in time");
    expect(await run(ECHO, never)).toContain("!");
  });

  test("runs nothing of its own in a transaction of somebody's", async () => {
    await client.query("begin");
    await expect(connect(client).run(ECHO, never)).rejects.toThrow("has an open transaction");
    await client.query("commit");
    expect(await connect(client).run(ECHO, never)).toContain("!");
  });

  test("is a transaction from its begin to its commit, and not before or after", async () => {
    const error = { code: "bad-transaction", field: "transaction" };
    expect(() => adaptTransaction(client)).toThrow(expect.objectContaining(error));
    await client.query("begin");
    const { run } = adaptTransaction(client);
    expect(await run(ECHO, never)).toContain("!");
    await client.query("commit");
    await expect(run(ECHO, never)).rejects.toMatchObject(error);
  });

  test("is taken for a transaction where its driver is too old to tell", async () => {
    const old = Object.assign(client, { getTransactionStatus: undefined });
    expect(await adaptTransaction(old).run(ECHO, never)).toContain("!");
  });
});
