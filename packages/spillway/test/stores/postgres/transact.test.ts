/** Transactions of our own are all or nothing on each driver, and leave no connection behind that is of no use. */
import { PGlite } from "@electric-sql/pglite";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connect,
  type PgLite,
  type PgPool,
  transact,
} from "../../../src/stores/postgres/clients/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { DIE, never, select } from "./statements.ts";

const COUNT = select("count(*)::text from public.notes");
const WRITE = { ...COUNT, text: "insert into public.notes values ('one') returning value" };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Each with one connection, so that a transaction left open on it would be seen. */
const drivers: Record<string, () => Promise<PgPool | PgLite>> = {
  "node-postgres": async () => new Pool({ connectionString: server.url, max: 1 }),
  PGlite: async () => PGlite.create(),
};

describe.each(Object.entries(drivers))("on %s", (name, open) => {
  let pool: PgPool | PgLite;
  const sending = { prepare: false };
  const count = () => connect(pool).run(COUNT, never);

  beforeAll(async () => {
    pool = await open();
    await connect(pool).script("drop table if exists notes; create table notes (value text)");
  });
  afterAll(async () => {
    const closing = pool as { end?(): Promise<void>; close?(): Promise<void> };
    await (closing.end ?? closing.close)?.call(closing);
  });

  test("work that resolves is committed, and work that rejects is rolled back", async () => {
    const answer = transact(pool, sending, ({ run }) => run(WRITE, never));
    expect(await answer).toBe("one");
    const failing = transact(pool, sending, async ({ run }) => {
      await run(WRITE, never);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await count()).toBe("1");
  });

  test("several at once don't mix", async () => {
    const before = Number(await count());
    const one = (isKept: boolean) =>
      transact(pool, sending, async ({ run }) => {
        await run(WRITE, never);
        await run(COUNT, never);
        if (!isKept) throw new Error("no");
      }).catch(() => {});
    await Promise.all([true, false, true, false].map(one));
    expect(await count()).toBe(`${before + 2}`);
  });

  test.runIf(name === "node-postgres")("a connection that breaks is replaced", async () => {
    const before = await count();
    const breaking = transact(pool, sending, async ({ run }) => {
      await run(WRITE, never);
      await run(DIE, never);
    });
    await expect(breaking).rejects.toThrow();
    expect(await count()).toBe(before);
  });

  test.runIf(name === "node-postgres")("what failed is told, and not the rollback", async () => {
    const failing = transact(pool, sending, async ({ run }) => {
      await run(DIE, never).catch(() => {});
      throw new Error("the first mistake");
    });
    await expect(failing).rejects.toThrow("the first mistake");
    expect(await connect(pool).run(select("1::text"), never)).toBe("1");
  });
});
