/** Leases that outlive the transaction in which they were taken, whatever becomes of it and of its connection. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Lease, RateLimiter } from "../../../src/limiter/index.ts";
import {
  adaptTransaction,
  connect,
  isPgLite,
  isPgPool,
} from "../../../src/stores/postgres/clients/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { type ManualClock, manualClock } from "../../../src/testing/index.ts";
import { query } from "../../servers/postgres/query.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { until } from "../../servers/until.ts";
import { libraries } from "./libraries/all.ts";
import type { Library } from "./libraries/library.ts";
import { never, select } from "./statements.ts";

const TTL = 60_000;
const LIMITS = {
  jobs: { kind: "concurrency", capacity: 5, ttl: TTL },
  places: { kind: "concurrency", capacity: 5, ttl: TTL, share: "10s" },
  calls: { kind: "token bucket", rate: 5, period: "1d" },
} as const;
const key = "k";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await query(server, "create role stranger");
});
afterAll(() => server[Symbol.asyncDispose]());

/** What is done with a lease, and what it answers while it is held. */
const ACTIONS = {
  release: { act: (lease: Lease<"later">) => lease.release(), left: 0 },
  renew: { act: (lease: Lease<"later">) => lease.renew(), left: 1 },
} as const;
const actions = Object.entries(ACTIONS);
/** How transactions end. */
const ENDS = ["rolled back", "committed"] as const;

/** In transactions of these libraries no connection can be killed; the names of their tests say why. */
const ENDS_THE_PROCESS =
  ", where postgres.js (3.4.9) ends the process: it writes to the closed socket";
const NO_CONNECTION = ", where there is none: PGlite runs in this process";
const NEVER_KILLED: Readonly<Record<string, string>> = {
  "postgres.js": ENDS_THE_PROCESS,
  "Drizzle over postgres.js": ENDS_THE_PROCESS,
  PGlite: NO_CONNECTION,
  "Drizzle over PGlite": NO_CONNECTION,
};

/** After the end of a transaction, these send what they are given to whoever has the connection. */
const UNAWARE = new Set([
  "node-postgres",
  "postgres.js",
  "Drizzle over node-postgres",
  "Drizzle over postgres.js",
]);

/** Whether nothing was written in a transaction, and no row locked. */
const WITHOUT_ID = "(pg_current_xact_id_if_assigned() is null)::text";

describe.each(Object.entries(libraries))("a lease taken in a transaction of %s", (name, open) => {
  let library: Library;
  let own: pg.Pool | undefined;
  let limiter: RateLimiter<typeof LIMITS, "later">;
  let clock: ManualClock;
  const unkillable = NEVER_KILLED[name];
  /** PGlite has one connection: what is asked outside of a transaction waits for its end. */
  let isAlone: boolean;

  beforeAll(async () => {
    library = await open(server.url);
    const { database } = library;
    isAlone = isPgLite(database);
    hear(library);
    own = isAlone ? undefined : new pg.Pool({ connectionString: server.url, max: 2 });
    await migrate(own ?? database);
    await connect(own ?? database)
      .script("create role stranger")
      .catch(ignore);
    // What is prepared already looks for rights to functions, and not to the schema.
    await connect(own ?? database).script(
      "revoke execute on all functions in schema spillway from public",
    );
    clock = manualClock();
    const deadline = isAlone ? 300 : 20_000;
    const store = postgresStore(own ?? database, { clock, deadline });
    limiter = new RateLimiter(LIMITS, { store });
  });
  beforeEach(async () => {
    await connect(own ?? library.database).script("delete from spillway.budgets");
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
    await own?.end();
  });

  const inFlight = async () => 5 - (await limiter.value("jobs", { key })).remaining;
  const backend = (transaction: object) => ask(transaction, "pg_backend_pid()::text");

  /** Takes a lease in a transaction, and says on which connection. */
  async function take(end?: (pid: string) => unknown) {
    const taken: { lease: Lease<"later">; pid: string }[] = [];
    const done = library.transact(async (transaction) => {
      const lease = await limiter.within(transaction).acquire("jobs", { key });
      expect(lease.ok).toBe(true);
      const pid = await backend(transaction);
      taken.push({ lease, pid });
      await end?.(pid);
    });
    if (end === undefined) await done;
    else await expect(done).rejects.toThrow();
    return taken[0] as (typeof taken)[0];
  }

  test.each(actions)("is the store's own once that is committed: %s", async (_, { act, left }) => {
    const { lease } = await take();
    expect(await act(lease)).toBe(true);
    expect(await inFlight()).toBe(left);
  });

  test.each(actions)("never was once that is rolled back: %s", async (_, { act }) => {
    const { lease } = await take(fail);
    expect(await act(lease)).toBe(false);
    expect(await inFlight()).toBe(0);
  });

  test.skipIf(unkillable !== undefined).each(actions)(
    `never was once its connection is killed${unkillable ?? ""}: %s`,
    async (_, { act }) => {
      const { lease } = await take(async (pid) => {
        await query(server, "select pg_terminate_backend($1)", [pid]);
        fail();
      });
      expect(await act(lease)).toBe(false);
      expect(await inFlight()).toBe(0);
      const begins = () => library.transact(async () => {}).then(yes, no);
      await until(begins, { what: "the pool has another connection" });
    },
  );

  test.each(
    actions.flatMap(([name, { act, left }]) =>
      ENDS.flatMap((end) => [
        { name, act, end, own: "committed", left, isHeld: true } as const,
        { name, act, end, own: "rolled back", left: 0, isHeld: false } as const,
      ]),
    ),
  )(
    "once that is $own, is not touched by another one on its connection: $name, then $end",
    async ({ own, end, act, left, isHeld }) => {
      const { lease, pid } = await take(own === "committed" ? undefined : fail);
      let answer: boolean | undefined;
      const other = library.transact(async (transaction) => {
        expect(await backend(transaction)).toBe(pid);
        // Whoever may not call the store's functions would have its transaction fail.
        await ask(transaction, "set_config('role', 'stranger', true)");
        answer = await act(lease).catch(() => undefined);
        if (!isAlone) expect(await inFlight()).toBe(left);
        expect(await ask(transaction, WITHOUT_ID)).toBe("true");
        if (end === "rolled back") fail();
      });
      await (end === "committed" ? other : expect(other).rejects.toThrow("no"));
      if (!isAlone) expect(answer).toBe(isHeld);
      // What could not be asked during the other transaction is asked again by itself, if it is a release.
      await until(async () => (await inFlight()) === left, { what: "it is given back" });
    },
  );

  test.each(actions)("is part of it while it is open: %s", async (action, { act, left }) => {
    for (const end of ENDS) {
      const during = library.transact(async (transaction) => {
        const inside = limiter.within(transaction);
        const lease = await inside.acquire("jobs", { key });
        expect(await act(lease)).toBe(true);
        expect((await inside.value("jobs", { key })).remaining).toBe(5 - left);
        if (action === "release") expect(await lease.renew()).toBe(false);
        if (end === "rolled back") fail();
      });
      await (end === "committed" ? during : expect(during).rejects.toThrow("no"));
      expect(await inFlight()).toBe(end === "committed" ? left : 0);
    }
  });

  test.each(actions)("is over when its time is, inside and outside: %s", async (_, { act }) => {
    const { lease } = await take();
    await library.transact(async (transaction) => {
      const inside = await limiter.within(transaction).acquire("jobs", { key });
      clock.advance(TTL);
      expect(await act(inside)).toBe(false);
    });
    expect(await act(lease)).toBe(false);
    expect(await inFlight()).toBe(0);
  });

  test("is the store's own where places are shared as well", async () => {
    const leases: Lease<"later">[] = [];
    await library.transact(async (transaction) => {
      leases.push(await limiter.within(transaction).acquire("places", { key }));
    });
    await library.transact(async () => {
      if (!isAlone) expect(await leases[0]?.release()).toBe(true);
    });
    if (isAlone) expect(await leases[0]?.release()).toBe(true);
    expect((await limiter.value("places", { key })).remaining).toBe(5);
  });

  test("a limiter that is kept does nothing in the next transaction", async () => {
    const kept: RateLimiter<typeof LIMITS, "later">[] = [];
    await library.transact(async (transaction) => {
      const inside = limiter.within(transaction);
      await inside.limit("calls", { key });
      kept.push(inside);
    });
    await library.transact(async (transaction) => {
      const [inside] = kept as [(typeof kept)[0]];
      const asks = [
        () => inside.limit("calls", { key }),
        () => inside.settle("calls", { key, reserved: 1, used: 0 }),
        () => inside.reset("calls", { key }),
        () => inside.value("calls", { key }),
      ];
      const error = UNAWARE.has(name) ? { code: "bad-transaction" } : {};
      for (const each of asks) await expect(each()).rejects.toThrow(expect.objectContaining(error));
      expect(await ask(transaction, "'well'")).toBe("well");
    });
    expect((await limiter.value("calls", { key })).remaining).toBe(4);
  });

  test("what only reads gives the transaction no id: a replica has none", async () => {
    await library.transact(async (transaction) => {
      const inside = limiter.within(transaction);
      await inside.value("jobs", { key });
      await inside.check("calls", { key });
      expect(await ask(transaction, WITHOUT_ID)).toBe("true");
    });
  });

  test("a look that writes is part of it, and of no other one", async () => {
    const config = { kind: "token bucket", rate: 5, period: "1d" } as const;
    await limiter.limit("trial", { key, config });
    const changed = { key, config: { ...config, rate: 9 } };
    const kept: RateLimiter<typeof LIMITS, "later">[] = [];
    await library.transact(async (transaction) => {
      const inside = limiter.within(transaction);
      expect(await inside.check("trial", changed)).toMatchObject({ ok: true, remaining: 7 });
      kept.push(inside);
    });
    const error = UNAWARE.has(name) ? { code: "bad-transaction" } : {};
    await library.transact(async () => {
      const late = kept[0]?.check("trial", changed);
      await expect(late).rejects.toThrow(expect.objectContaining(error));
    });
  });

  test("is not waited for there: who would give back waits for the transaction", async () => {
    await library.transact(async (transaction) => {
      const inside = limiter.within(transaction);
      await inside.acquire("jobs", { key, count: 5 });
      const error = expect.objectContaining({ code: "bad-wait", limit: "jobs", field: "wait" });
      const wait = { key, wait: 1000 };
      expect(() => inside.acquire("jobs", wait)).toThrow(error);
      await expect(inside.run("jobs", wait, () => {})).rejects.toThrow(error);
      expect(await inside.acquire("jobs", { key, wait: 0 })).toMatchObject({ ok: false });
    });
  });
});

/** A value, as text, in a transaction. */
function ask(transaction: object, expression: string): Promise<string> {
  return adaptTransaction(transaction).run(select(expression), never);
}

/** What ends a connection is an event of its pool, or of the client that is lent: unheard, it would end the process. */
function hear({ database }: Library): void {
  if (!isPgPool(database)) return;
  const pool = database as pg.Pool;
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
}

function fail(): never {
  throw new Error("no");
}

const ignore = () => {};
const yes = () => true;
const no = () => false;
