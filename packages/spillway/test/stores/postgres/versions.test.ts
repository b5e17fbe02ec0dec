/** Programs of two versions on one table, as in a rolling deploy. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Random, Store } from "../../../src/limits/core/index.ts";
import { migration, postgresStore } from "../../../src/stores/postgres/index.ts";
import { conformance, manualClock, seededRandom } from "../../../src/testing/index.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { compareLongLists } from "../long-lists.ts";
import { dividedOver } from "../over-each.ts";
import { OLDER, type OlderVersion, olderPool } from "./older-program.ts";

const LIMITS = {
  quota: { kind: "fixed window", rate: 10, period: "366d", start: 0 },
  jobs: { kind: "concurrency", capacity: 3, ttl: "1h" },
} as const;

const CURRENT = migration();

/** Version 1 keeps four definitions apart and forgets what a fifth displaces: what depends on more differs. */
const NEEDS_EIGHT: ReadonlySet<string> = new Set([
  "definitions: keeps eight definitions at a time",
  "definitions: gives back nothing to a definition that found no place meanwhile",
  "definitions: admits what any number of definitions do apart",
  "answers as a memory store does while definitions take turns, seed 0",
  "answers as a memory store does while definitions take turns, seed 1",
]);

let server: PostgresServer;
let pool: pg.Pool;
/** Of programs of older versions. */
let olders: { readonly [V in OlderVersion]: pg.Pool };

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const olderOf = (version: OlderVersion) => olderPool(server.url, version);
  olders = { 1: olderOf(1), 2: olderOf(2), 3: olderOf(3) };
});
afterAll(async () => {
  await Promise.all([pool, ...Object.values(olders)].map((each) => each.end()));
  await server[Symbol.asyncDispose]();
});

const limiterOn = (its: pg.Pool) =>
  new RateLimiter(LIMITS, { store: postgresStore(its, { deadline: 20_000 }) });

async function versions(): Promise<unknown> {
  const { rows } = await pool.query("select version from spillway.migrations order by version");
  return rows.map(({ version }) => version);
}

/** Everything that is installed, as it is: what is made anew gets another number. */
async function installed(): Promise<unknown> {
  const { rows } = await pool.query(
    "select oid, proname from pg_proc where pronamespace = 'spillway'::regnamespace order by oid",
  );
  return rows;
}

describe("versions of the schema", () => {
  beforeEach(() => pool.query("drop schema if exists spillway cascade"));

  test.each([
    ["version 1 first", OLDER[1], CURRENT, 1],
    ["version 2 first", OLDER[2], CURRENT, 2],
    ["version 3 first", OLDER[3], CURRENT, 3],
    ["the newer version before version 1", CURRENT, OLDER[1], 1],
    ["the newer version before version 2", CURRENT, OLDER[2], 2],
    ["the newer version before version 3", CURRENT, OLDER[3], 3],
  ] as const)(
    "programs of both share what keys have used: %s",
    async (_, first, second, version) => {
      const older = olders[version];
      await pool.query(first);
      const early = limiterOn(first === CURRENT ? pool : older);
      expect(await early.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 7 });
      const lease = await early.acquire("jobs");
      await pool.query(second);
      const late = limiterOn(second === CURRENT ? pool : older);
      expect(await late.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 4 });
      expect(await early.limit("quota", { count: 3 })).toMatchObject({ ok: true, remaining: 1 });
      expect(await late.limit("quota", { count: 3 })).toMatchObject({ ok: false, remaining: 1 });
      expect(await late.acquire("jobs", { count: 3 })).toMatchObject({ ok: false, remaining: 2 });
      expect(await lease.release()).toBe(true);
      expect(await versions()).toEqual([version, 4]);
    },
  );

  test("one that is installed is left as it is", async () => {
    const all = [...Object.values(OLDER), CURRENT];
    for (const script of all) await pool.query(script);
    const before = await installed();
    for (const script of all) await pool.query(script);
    expect(await installed()).toEqual(before);
  });

  test("all functions of one have its number in their names", async () => {
    await pool.query(CURRENT);
    const { rows } = await pool.query(
      "select proname from pg_proc where pronamespace = 'spillway'::regnamespace and proname !~ '^v4_'",
    );
    expect(rows).toEqual([]);
  });
});

describe.each([1, 2, 3] as const)(
  "programs of version %i and this one that ask in turn",
  (version) => {
    beforeAll(() =>
      pool.query(`drop schema if exists spillway cascade; ${OLDER[version]}; ${CURRENT}`),
    );
    beforeEach(() =>
      pool.query("truncate spillway.budgets, spillway.entries, spillway.exceptions"),
    );

    /** Each command is carried out by one of them, once the one before is: they have different connections. */
    function mixed(clock: () => number, random: Random): Store<"later"> {
      const [one, other] = [pool, olders[version]].map((its) =>
        postgresStore(its, { clock, deadline: 60_000 }),
      ) as [Store<"later">, Store<"later">];
      let last: Promise<unknown> = Promise.resolve();
      const execute: typeof one.execute = (command) => {
        const store = random() < 0.5 ? one : other;
        const answer = last.then(() => store.execute(command));
        last = answer.catch(() => {});
        return answer;
      };
      return { timing: "later", execute };
    }

    test.each([1, 2])("keep long lists as one in memory does, seed %i", async (seed) => {
      const clock = manualClock();
      const store = mixed(clock, seededRandom(seed));
      await compareLongLists({ store, clock, seed, entries: 200 });
    });

    const cases = conformance(
      async (clock) => {
        await pool.query("truncate spillway.budgets, spillway.entries, spillway.exceptions");
        return mixed(clock, seededRandom(1));
      },
      { seeds: 2 },
    );
    for (const { name, run } of dividedOver(cases, { part: version - 1, parts: 3 })) {
      const isBeyond = version === 1 && NEEDS_EIGHT.has(name);
      const why = isBeyond ? ", where version 1 keeps four" : "";
      test.skipIf(isBeyond)(`${name}${why}`, run);
    }
  },
);
