/** A place in the line, a job and the caller's own rows are one, in a transaction of each library that the store joins. */
import { Pool } from "pg";
import PgBoss from "pg-boss";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Deferred, jobId, pgBossQueue } from "../../src/deferred/index.ts";
import type { BossDb } from "../../src/deferred/queues/pg-boss/contracts.ts";
import { RateLimiter } from "../../src/index.ts";
import {
  adaptTransaction,
  connect,
  isPgLite,
  isPgPool,
  type PgLite,
  type Statement,
} from "../../src/stores/postgres/clients/index.ts";
import { migrate, postgresStore } from "../../src/stores/postgres/index.ts";
import type { PostgresServer } from "../servers/postgres/server.ts";
import { startPostgres } from "../servers/postgres/start.ts";
import { until } from "../servers/until.ts";
import { libraries } from "../stores/postgres/libraries/all.ts";
import type { Library, Work } from "../stores/postgres/libraries/library.ts";
import { never } from "../stores/postgres/statements.ts";

const LIMITS = {
  line: { kind: "leaky bucket", rate: 50, period: "1s", capacity: 3 },
  seconds: { kind: "leaky bucket", rate: 1, period: "1s", capacity: 3 },
  days: { kind: "leaky bucket", rate: 1, period: "1d", capacity: 3 },
} as const;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const INSERT: Statement = {
  name: "insert",
  text: "insert into orders (id) values ($1::text) returning id",
  values: [],
};
const ORDERS: Statement = {
  name: "orders",
  text: "select coalesce(string_agg(id, ' '), 'none') from orders",
  values: [],
};

/** PGlite is a database of its own, which pg-boss reaches through its `db` only. */
function bossOn({ database }: Library): PgBoss {
  const db = isPgLite(database) ? { db: dbOf(database) } : { connectionString: server.url };
  return new PgBoss({ ...db, supervise: false, schedule: false } as PgBoss.ConstructorOptions);
}

type Rows = { readonly rows: unknown[] };

function dbOf(database: PgLite): BossDb {
  return {
    async executeSql(text, values = []) {
      if (values.length > 0) return (await database.query(text, values as string[])) as Rows;
      const answers = (await database.exec(text)) as Rows[];
      return { rows: answers.flatMap(({ rows }) => rows) };
    },
  };
}

/** Deferred work of one library alone, with a queue and a line of its own. */
async function open(name: string, library: Library) {
  const boss = bossOn(library);
  boss.on("error", () => {});
  await boss.start();
  const line = name.replace(/\W/g, "");
  await boss.createQueue(line);
  await migrate(library.database);
  const limiter = new RateLimiter(LIMITS, {
    store: postgresStore(library.database, { deadline: 5000 }),
  });
  const { database } = library;
  const isFit = isPgPool(database) || isPgLite(database);
  const pool = isFit ? database : new Pool({ connectionString: server.url });
  const queue = pgBossQueue(boss, { name: line, pool, poll: 20 });
  const [work, slow, slowest] = (["line", "seconds", "days"] as const).map(
    (limit) => new Deferred({ limiter, limit, queue }),
  ) as [Deferred, Deferred, Deferred];
  const close = async () => {
    await boss.stop({ graceful: false, wait: true });
    if (!isFit) await (pool as Pool).end();
  };
  return { limiter, work, slow, slowest, close };
}

describe.each(Object.entries(libraries))("in a transaction of %s", (name, openLibrary) => {
  let library: Library;
  let opened: Awaited<ReturnType<typeof open>>;
  let keys = 0;
  let key = "";

  beforeAll(async () => {
    library = await openLibrary(server.url);
    opened = await open(name, library);
    await connect(library.database).script("create table if not exists orders (id text)");
  });
  beforeEach(async () => {
    key = `${name} ${keys++}`;
    await connect(library.database).script("truncate orders");
  });
  afterAll(async () => {
    await opened.close();
    await library[Symbol.asyncDispose]();
  });

  const orders = () => connect(library.database).run(ORDERS, never);
  const places = async () => 3 - (await opened.limiter.value("days", { key })).remaining;

  /** Writes a row, and submits work for it. */
  const order =
    (id: string): Work =>
    async (transaction) => {
      await adaptTransaction(transaction).run({ ...INSERT, values: [id] }, never);
      const answer = await opened.slowest.within(transaction).submit({ id }, { id, key });
      expect(answer).toMatchObject({ ok: true, job: { id, state: "queued" } });
    };

  test("all of it is there when it commits", async () => {
    const id = jobId(key);
    await library.transact(order(id));
    expect(await orders()).toBe(id);
    expect(await opened.work.find(id)).toMatchObject({ id, state: "queued" });
    expect(await places()).toBe(1);
  });

  test("nothing of it is there when it is rolled back", async () => {
    const id = jobId(key);
    const failing = library.transact(async (transaction) => {
      await order(id)(transaction);
      throw new Error("no more stock");
    });
    await expect(failing).rejects.toThrow("no more stock");
    expect(await orders()).toBe("none");
    expect(await opened.work.find(id)).toBeUndefined();
    expect(await places()).toBe(0);
  });

  test("what came after a savepoint goes, and the rest stays", async () => {
    const [kept, gone] = [jobId(key, "kept"), jobId(key, "gone")];
    await library.transact(async (transaction, nested) => {
      await order(kept)(transaction);
      await nested(async (inner) => {
        await order(gone)(inner);
        throw new Error("no more stock");
      }).catch(() => {});
    });
    expect(await orders()).toBe(kept);
    expect(await opened.work.find(kept)).toMatchObject({ id: kept });
    expect(await opened.work.find(gone)).toBeUndefined();
    expect(await places()).toBe(1);
  });

  test("one id is queued once, also by two transactions, and a full line refuses", async () => {
    const id = jobId(key);
    await library.transact(async (transaction) => {
      const inside = opened.slowest.within(transaction);
      const first = await inside.submit({ n: 1 }, { id, key });
      expect(await inside.submit({ n: 2 }, { id, key })).toMatchObject({
        ok: first.ok,
        job: { id },
      });
      for (const ok of [true, true, false]) expect((await inside.submit({}, { key })).ok).toBe(ok);
    });
    await library.transact(async (transaction) => {
      const inside = opened.slowest.within(transaction);
      expect(await inside.submit({ n: 3 }, { id, key })).toMatchObject({ ok: true, job: { id } });
    });
  });

  test("work is given what was submitted", async () => {
    const data = [
      { quotes: `'"''$$`, parameters: "$1 $2 ? ?? \\? :key", backslashes: "\\ \\\\ \\n" },
      ["\n\r\n", '{"a":[1,null]}', "007", "é中🦫\u{10ffff}", 0.1, 1e21, true, null, []],
      "text",
      null,
      false,
    ];
    const ids = data.map((_, n) => jobId(key, `${n}`));
    await library.transact(async (transaction) => {
      const inside = opened.work.within(transaction);
      for (const [n, each] of data.entries()) {
        const answer = await inside.submit(each, { id: ids[n], key: `${key} $1 ? ${n}` });
        expect(answer.ok).toBe(true);
      }
    });
    const done = new Map<string, unknown>();
    const worker = opened.work.work(({ id, data, key }) => void done.set(id, { data, key }));
    await until(() => ids.every((id) => done.has(id)), { what: "all is done" });
    await worker.close();
    expect(ids.map((id) => done.get(id))).toEqual(
      data.map((each, n) => ({ data: each, key: `${key} $1 ? ${n}` })),
    );
  });

  test("what was submitted is cancelled, and gives its place back", async () => {
    const { slowest, limiter } = opened;
    const ids = [jobId(key, "today"), jobId(key, "tomorrow")];
    await library.transact(async (transaction) => {
      for (const id of ids) await slowest.within(transaction).submit({}, { id, key });
    });
    const [today = "", tomorrow = ""] = ids;
    expect(await slowest.cancel(tomorrow)).toMatchObject({ state: "cancelled" });
    expect((await limiter.value("days", { key })).remaining).toBe(2);
    await slowest.cancel(today);
  });

  test("a job that the gate holds back goes back to the queue, and runs", async () => {
    const { slow, limiter } = opened;
    const started: unknown[] = [];
    const worker = slow.work(({ data }) => void started.push(data));
    for (const data of ["first", "other"]) {
      await library.transact(async (transaction) => {
        expect((await slow.within(transaction).submit(data, { key })).ok).toBe(true);
      });
      await until(() => started.length > 0, { what: "the first has started" });
      // The line forgets it; the gate does not.
      await limiter.reset("seconds", { key });
    }
    await until(() => started.includes("other"), { what: "the other one has started" });
    await worker.close();
    expect(started.filter((data) => data === "other")).toHaveLength(1);
  });

  test("what begins transactions is not taken for one", () => {
    const error = { code: "bad-transaction", field: "transaction" };
    expect(() => opened.work.within(library.root)).toThrow(expect.objectContaining(error));
  });
});
