/** Penalties: in rows that programs of older versions and fast statements meet too. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Ask, LimitSettings } from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { migration, postgresStore } from "../../../src/stores/postgres/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { comparePenalties } from "../compare-penalties.ts";
import { OLDER, type OlderVersion, olderPool } from "./older-program.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const penalty = { after: 3, within: "10m", block: "1m", most: "1h" } as const;
const PLAIN = {
  bucket: { kind: "token bucket", rate: 5, period: "1s" },
  window: { kind: "fixed window", rate: 5, period: "1s" },
  log: { kind: "sliding log", rate: 500, period: "1h" },
} as const;
type Limits = typeof PLAIN;
const LIMITS = Object.fromEntries(
  Object.entries(PLAIN).map(([name, limit]) => [name, { ...limit, penalty }]),
) as unknown as Limits;
const NAMES = ["bucket", "window"] as const;

const key = "k";
const TOO_MANY = { key, count: 999 };
const PENALIZED = { ok: false, reason: "penalized" };

let server: PostgresServer;
let pool: pg.Pool;
let clock: ReturnType<typeof manualClock>;
let limiter: RateLimiter<Limits, "later">;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 2 });
  await pool.query([...Object.values(OLDER), migration()].join(";"));
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await pool.query("truncate spillway.budgets, spillway.entries");
  clock = manualClock();
  limiter = limiterOn(pool);
});

const storeOn = (its: pg.Pool) => postgresStore(its, { clock, deadline: 20_000 });

function limiterOn(its: pg.Pool, limits = LIMITS): RateLimiter<Limits, "later"> {
  return new RateLimiter(limits, { store: storeOn(its) });
}

async function refuse(times: number, name: keyof Limits = "bucket", its = limiter): Promise<void> {
  for (let left = times; left > 0; left--) await its.limit(name, TOO_MANY);
}

async function row() {
  const { rows } = await pool.query(
    "select coalesce(cardinality(others), 0) as others, fresh_at, ctid, xmin from spillway.budgets",
  );
  return rows[0];
}

describe.each([1, 2, 3] as const)("a program of version %i", (version: OlderVersion) => {
  let older: RateLimiter<Limits, "later">;
  let olders: pg.Pool;
  beforeAll(() => {
    olders = olderPool(server.url, version);
  });
  beforeEach(() => {
    older = limiterOn(olders, PLAIN);
  });
  afterAll(() => olders.end());

  test.each(NAMES)("keeps the record of refusals, and counts none of its own: %s", async (name) => {
    await refuse(2, name);
    await refuse(9, name, older);
    expect(await older.limit(name, { key, count: 4 })).toMatchObject({ ok: true, remaining: 1 });
    expect(await limiter.limit(name, { key, count: 2 })).toMatchObject(PENALIZED);
  });

  test.each(NAMES)("refuses for a penalty, and keeps its level: %s", async (name) => {
    await refuse(3, name);
    expect(await older.limit(name, { key })).toMatchObject({ ok: false, retryAfter: MINUTE });
    expect(await older.value(name, { key })).toMatchObject({ blockedFor: MINUTE });
    expect(await limiter.limit(name, { key })).toMatchObject({ ...PENALIZED, retryAfter: MINUTE });
    clock.advance(MINUTE);
    expect(await older.limit(name, { key })).toMatchObject({ ok: true });
    await refuse(3, name);
    expect(await limiter.value(name, { key })).toMatchObject({ blockedFor: 2 * MINUTE });
  });

  test("keeps it with another definition, and beside a long list", async () => {
    for (let nth = 0; nth < 200; nth++) {
      await limiter.limit("log", { key });
      clock.advance(1);
    }
    await refuse(2, "log");
    expect(await older.limit("log", { key, count: 200 })).toMatchObject({ remaining: 100 });
    const config = { ...PLAIN.log, rate: 400 };
    expect(await older.limit("log", { key, config })).toMatchObject({ ok: false });
    expect(await limiter.limit("log", { key, count: 101 })).toMatchObject(PENALIZED);
  });

  test("ends a penalty with unblock, and leaves the level", async () => {
    await refuse(3);
    await older.unblock("bucket", { key });
    expect(await limiter.limit("bucket", { key })).toMatchObject({ ok: true });
    await refuse(1);
    clock.advance(10 * MINUTE - 1);
    await refuse(2);
    expect(await limiter.value("bucket", { key })).toMatchObject({ blockedFor: 2 * MINUTE });
  });

  test("forgets it with a reset, which leaves the block", async () => {
    await refuse(3);
    await older.reset("bucket", { key });
    const { blockedFor, penalized } = await limiter.value("bucket", { key });
    expect({ blockedFor, penalized }).toEqual({ blockedFor: MINUTE, penalized: undefined });
    clock.advance(MINUTE);
    await refuse(3);
    expect(await limiter.value("bucket", { key })).toMatchObject({ blockedFor: MINUTE });
  });
});

describe("a program without the penalty", () => {
  test.each(NAMES)("keeps the record, and refuses for the penalty: %s", async (name) => {
    const plain = limiterOn(pool, PLAIN);
    await refuse(2, name);
    await refuse(9, name, plain);
    expect(await plain.limit(name, { key })).toMatchObject({ ok: true, remaining: 4 });
    await refuse(1, name);
    expect(await plain.limit(name, { key })).toMatchObject({ ...PENALIZED, retryAfter: MINUTE });
    expect(await plain.value(name, { key })).toMatchObject({ penalized: true });
  });

  test("meets it beside other keys, in a transaction and outside of one", async () => {
    const plain = limiterOn(pool, PLAIN);
    await refuse(3);
    const keys = ["a", key, "b", key, "c"];
    const reasons = async () => {
      const all = await Promise.all(keys.map((one) => plain.limit("bucket", { key: one })));
      return all.map(({ reason }) => reason);
    };
    const { reason } = PENALIZED;
    for (const _ of [1, 2]) {
      expect(await reasons()).toEqual([undefined, reason, undefined, reason, undefined]);
    }
    const client = await pool.connect();
    await client.query("begin");
    expect(await plain.within(client).limit("bucket", { key })).toMatchObject(PENALIZED);
    await client.query("commit");
    client.release();
    clock.advance(MINUTE);
    await refuse(3);
    expect(await plain.value("bucket", { key })).toMatchObject({ blockedFor: 2 * MINUTE });
  });

  test("takes from the row by fast statements once the record does not matter", async () => {
    const plain = limiterOn(pool, PLAIN);
    await refuse(1);
    clock.advance(10 * MINUTE);
    await plain.limit("bucket", { key });
    expect((await row()).others).toBe(1);
    clock.advance(SECOND);
    await plain.limit("bucket", { key });
    expect((await row()).others).toBe(0);
  });

  test("sends what it has always sent", () => {
    const plan = planFor("it", PLAIN.bucket);
    const settings: LimitSettings = { whenUnavailable: "closed", shards: 1, penalty: undefined };
    const ask = { plan, key, count: 1, reserve: false };
    const steps = (...budgets: readonly Ask[]) =>
      new PortRequest([{ verb: "limit", budgets }], String).steps;
    expect(steps({ ...ask, settings })).toEqual(steps(ask));
    expect(steps(ask)).toEqual([1]);
  });
});

test("calls of one statement have the penalties of their programs", async () => {
  const plan = planFor("it", PLAIN.bucket);
  const store = storeOn(pool);
  const reasons = (...afters: readonly number[]) =>
    Promise.all(
      afters.map(async (after) => {
        const times = { within: HOUR, block: MINUTE, most: HOUR };
        const penalty = after === 0 ? undefined : { after, ...times };
        const settings: LimitSettings = { whenUnavailable: "closed", shards: 1, penalty };
        const budgets = [{ plan, key, count: 9, reserve: false, settings }];
        const [decision] = await store.execute({ verb: "limit", budgets });
        return decision?.reason;
      }),
    );
  const [large, penalized] = ["too large", "penalized"];
  expect(await reasons(3, 0, 3, 0, 4)).toEqual([large, large, large, large, large]);
  expect(await reasons(0, 9, 0, 4, 1)).toEqual([large, large, large, penalized, penalized]);
});

describe("a row", () => {
  test("is swept no sooner than its record has no meaning, even if the clock goes back", async () => {
    const sweep = () => pool.query("select spillway.v4_sweep('', 1000, $1)", [clock()]);
    await refuse(3);
    expect((await row()).fresh_at).toBe(clock() + MINUTE + HOUR + SECOND);
    clock.advance(MINUTE + HOUR - 1);
    await sweep();
    await refuse(3);
    expect(await limiter.value("bucket", { key })).toMatchObject({ blockedFor: 2 * MINUTE });
    clock.advance(2 * MINUTE + HOUR + SECOND - 1);
    await sweep();
    expect(await row()).toBeDefined();
    clock.advance(1);
    await sweep();
    expect(await row()).toBeUndefined();
  });

  test("is written by each refusal that counts, and by no other", async () => {
    await refuse(2);
    const counted = await row();
    await refuse(1);
    const penalized = await row();
    expect(penalized.ctid).not.toEqual(counted.ctid);
    await refuse(3);
    await limiter.check("bucket", TOO_MANY);
    await limiter.value("bucket", { key });
    expect(await row()).toEqual(penalized);
  });

  test("stays as it is but for the refusal: a clock that goes back finds it as it was", async () => {
    await limiter.limit("bucket", { key, count: 5 });
    clock.advance(SECOND);
    await refuse(2);
    clock.advance(-SECOND);
    expect(await limiter.value("bucket", { key })).toMatchObject({ remaining: 0 });
    clock.advance(SECOND);
    expect(await limiter.limit("bucket", { key, count: 5 })).toMatchObject({ ok: true });
  });

  test.each(NAMES)("goes back with the clock, its record too: %s", async (name) => {
    await limiter.limit(name, { key });
    await refuse(3, name);
    clock.advance(-3 * HOUR);
    const { blockedFor, penalized } = await limiter.value(name, { key });
    expect(penalized).toBe(true);
    clock.advance(blockedFor);
    expect(await limiter.value(name, { key })).not.toHaveProperty("penalized");
    clock.advance(HOUR);
    await refuse(3, name);
    expect(await limiter.value(name, { key })).toMatchObject({ blockedFor: MINUTE });
  });

  test("has one record, beside an override and states under other definitions", async () => {
    await limiter.limit("bucket", { key, count: 5 });
    await refuse(1);
    const config = { ...PLAIN.bucket, period: "1h", penalty } as never;
    await limiter.limit("bucket", { key, count: 5, config });
    await limiter.override("bucket", { key, rate: 7, for: "5m" });
    await refuse(2);
    const { rows } = await pool.query(
      `select other.entries, strpos(other.definition, 'penalty') > 0 as is_record
      from spillway.budgets, unnest(others) as other`,
    );
    expect(rows.filter(({ is_record }) => is_record)).toEqual([
      { is_record: true, entries: [0, clock() + MINUTE, 1, clock() + MINUTE + HOUR] },
    ]);
    expect(rows.length).toBeGreaterThan(2);
    expect(await limiter.check("bucket", { key })).toMatchObject({
      ...PENALIZED,
      overridden: true,
      retryAfter: MINUTE,
    });
    await limiter.reset("bucket", { key });
    expect(await limiter.value("bucket", { key })).toMatchObject({
      penalized: true,
      overriddenFor: 5 * MINUTE,
    });
  });
});

test("refusals in a transaction count when that commits", async () => {
  const client = await pool.connect();
  await refuse(1);
  for (const end of ["rollback", "commit"]) {
    await client.query("begin");
    const inside = limiter.within(client);
    for (const reason of ["too large", "penalized"]) {
      expect(await inside.limit("bucket", TOO_MANY)).toMatchObject({ reason });
    }
    expect(await inside.value("bucket", { key })).toMatchObject({ penalized: true });
    await client.query(end);
    const { penalized = false } = await limiter.value("bucket", { key });
    expect(penalized).toBe(end === "commit");
  }
  client.release();
});

describe.each([128, 6])("as in memory, with lists of up to %i numbers in a row", (most) => {
  beforeAll(() =>
    pool.query(`create or replace function spillway.v4_most_numbers() returns int language sql immutable
      as 'select ${most}';
    create or replace function spillway.v4_numbers_kept() returns int language sql immutable
      as 'select ${Math.min(60, most)}'`),
  );

  test.each(Array.from({ length: runs(6) }, (_, index) => FIRST_SEED + index))(
    "many calls of programs with different penalties, in one request, seed %d",
    (seed) => comparePenalties(storeOn(pool), { clock, seed }),
  );
});
