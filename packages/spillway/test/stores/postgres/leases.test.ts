/** Leases in rows: beside a memory store, within transactions, and with many who want the same ones. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor, usedAt } from "../../../src/limits/algorithms/index.ts";
import type {
  Limit,
  Plan,
  Random,
  StateSnapshot,
  Store,
  Timing,
} from "../../../src/limits/core/index.ts";
import { migrate, postgresStore } from "../../../src/stores/postgres/index.ts";
import { asking } from "../../../src/testing/asking.ts";
import { type ManualClock, manualClock, seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { ISOLATIONS, isolated } from "./faults/isolation.ts";
import { CAPACITY, LeaseHolder, NOTED } from "./lease-holder.ts";
import type { Library } from "./libraries/library.ts";
import { openPg } from "./libraries/pg.ts";
import { openPostgresJs } from "./libraries/postgres-js.ts";
import { stepsStore } from "./steps-store.ts";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.url, max: 8 });
  await migrate(pool);
});
beforeEach(() => pool.query("truncate spillway.budgets"));
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

const key = "k";
const other = planFor("other", { kind: "token bucket", rate: 4, period: 1000 });

/** What the same key is limited by, one after the other. */
const PLANS = (
  [
    { kind: "concurrency", capacity: 4, ttl: 1000 },
    { kind: "concurrency", capacity: 9, ttl: 2500 },
    { kind: "concurrency", capacity: 2, ttl: 300 },
    { kind: "token bucket", rate: 5, period: 1000, maxReserved: 5 },
    { kind: "sliding window", rate: 5, period: 1000, start: 0 },
    { kind: "sliding log", rate: 5, period: 1000 },
  ] satisfies Limit[]
).map((limit) => planFor("it", limit));

describe("leases beside the steps in this process", () => {
  const seeds = Array.from({ length: runs(30) }, (_, seed) => seed);

  test.each(seeds)("many calls in a turn answer and leave the same, seed %i", async (seed) => {
    const clock = manualClock();
    const random = seededRandom(seed);
    const stores = [stepsStore(clock), postgresStore(pool, { clock, deadline: 20_000 })];
    let plan = PLANS[0] as Plan;
    for (let turn = 0; turn < 60; turn++) {
      if (random() < 0.15) plan = pick(PLANS, random);
      const calls = Array.from({ length: below(9, random) }, () => callOn({ plan, clock, random }));
      const [expected, found] = stores.map(async (store) => {
        const answers = await Promise.all(calls.map((call) => call(store)));
        const [sight] = await asking(store).peek([{ plan, key }]);
        return { answers, state: shown(sight as StateSnapshot, plan) };
      });
      expect(await found, `turn ${turn} of ${JSON.stringify(plan)}`).toEqual(await expected);
      if (random() < 0.6) clock.advance(below(random() < 0.1 ? 4000 : 300, random));
      if (random() < 0.15) clock.advance(-below(random() < 0.2 ? 5000 : 300, random));
    }
  });
});

type Scene = { readonly plan: Plan; readonly clock: ManualClock; readonly random: Random };

/** Any call on the key, the same for every store. */
function callOn({ plan, clock, random }: Scene): (store: Store<Timing>) => unknown {
  const budget = { plan, key };
  // Few, so that they meet; and such as an instant or an amount can be, too.
  const id = pick([0, 1, 2, 3, clock() + plan.period, Number.MAX_SAFE_INTEGER], random);
  const count = below(4, random);
  const lease = plan.kind === "concurrency" ? { id, headroom: below(3, random) } : undefined;
  const ask = { ...budget, count, reserve: plan.reservable && random() < 0.3, lease };
  const held = { id, count };
  const both = [ask, { plan: other, key, count: 1, reserve: false }];
  const settlement = { reserved: count, used: below(4, random) };
  const ms = 1 + below(500, random);
  const isLent = plan.kind === "concurrency";
  return pick<(store: Store<Timing>) => unknown>(
    [
      ...Array(4).fill((store: Store<Timing>) => asking(store).limit(ask)),
      ...Array(isLent ? 4 : 0).fill((store: Store<Timing>) => asking(store).release(budget, held)),
      ...Array(isLent ? 3 : 0).fill((store: Store<Timing>) => asking(store).renew(budget, held)),
      (store) => asking(store).limitAll(both),
      (store) => asking(store).check(ask),
      (store) => asking(store).value(budget),
      (store) => (isLent ? asking(store).check(ask) : asking(store).settle(budget, settlement)),
      (store) => (ms < 100 ? asking(store).reset(budget) : undefined),
      (store) => (ms > 300 ? asking(store).block(budget, ms) : asking(store).unblock(budget)),
    ],
    random,
  );
}

/** All that a state says of this instant, however it is kept. */
function shown({ state, now }: StateSnapshot, plan: Plan) {
  const instant = Math.max(state.since, now);
  const leases = [...(state.leases ?? [])].filter(({ until }) => until > instant);
  const spent = usedAt(state, plan, now);
  const { blockedUntil } = state;
  return {
    spent,
    leases,
    since: leases.length > 0 ? state.since : instant,
    blockedUntil: blockedUntil > now ? blockedUntil : 0,
  };
}

function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

function pick<T>(all: readonly T[], random: Random): T {
  return all[below(all.length, random)] as T;
}

const LIMITS = {
  reports: { kind: "concurrency", capacity: CAPACITY, ttl: "1m" },
  calls: { kind: "token bucket", rate: 5, period: "1h" },
} as const;
const TTL = 60_000;

const limiterOf = (options = {}) =>
  new RateLimiter(LIMITS, { store: postgresStore(pool, { deadline: 20_000, ...options }) });

type Row = {
  readonly used: number;
  readonly since: number;
  readonly unsettled: number;
  readonly fresh_at: number;
  readonly entries: readonly number[];
};

async function row(): Promise<Row> {
  const older = "(select array_agg(array[instant, units, id]) from spillway.entries)";
  const text = `select used, since, unsettled, fresh_at, entries, ${older} as older
    from spillway.budgets`;
  const [found] = (await pool.query<Row & { older: number[][] | null }>(text)).rows;
  if (found === undefined) return found as unknown as Row;
  const { older: rows, entries, ...rest } = found;
  return { ...rest, entries: [...(rows ?? []).flat(), ...entries] };
}

/** The leases of a row: until when, and how many units. */
async function lent(): Promise<readonly (readonly [number, number])[]> {
  const { entries } = await row();
  return Array.from({ length: entries.length / 3 }, (_, n) => [
    entries[3 * n] as number,
    entries[3 * n + 1] as number,
  ]);
}

describe("a row of leases", () => {
  test("says what is in flight, the first to end first, and from when on nothing can be", async () => {
    const clock = manualClock();
    const start = clock();
    const limiter = limiterOf({ clock });
    const one = await limiter.acquire("reports", { count: 2 });
    const first = { used: 2, since: start, unsettled: 0, fresh_at: start + TTL };
    expect(await row()).toEqual({ ...first, entries: [start + TTL, 2, expect.any(Number)] });
    clock.advance(10_000);
    const two = await limiter.acquire("reports");
    const both = { used: 3, since: start + 10_000, unsettled: 0, fresh_at: start + 10_000 + TTL };
    expect(await row()).toMatchObject(both);
    clock.advance(10_000);
    expect(await one.renew()).toBe(true);
    expect(await lent()).toEqual([
      [start + 10_000 + TTL, 1],
      [start + 20_000 + TTL, 2],
    ]);
    expect(await row()).toMatchObject({ used: 3, fresh_at: start + 20_000 + TTL });
    clock.advance(1000);
    await one.release();
    expect(await row()).toMatchObject({ used: 1, since: start + 20_000 });
    expect(await row()).toMatchObject({ fresh_at: start + 20_000 + TTL });
    await two.release();
    const none = { used: 0, since: start + 20_000, unsettled: 0, fresh_at: start + 21_000 };
    expect(await row()).toEqual({ ...none, entries: [] });
  });

  test("is as good as none from the millisecond on that the answer says", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    const resets = async () => clock() + (await limiter.value("reports")).resetAfter;
    for (const step of [5, -2000, 40_000, 30_000]) {
      clock.advance(step);
      await limiter.acquire("reports");
      expect((await row()).fresh_at).toBe(await resets());
    }
    await limiter.block("reports", { for: "1h" });
    expect((await row()).fresh_at).toBe(clock() + 3_600_000);
  });

  test("forgets what is over with the next change", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    const late = await limiter.acquire("reports");
    await limiter.acquire("reports");
    clock.advance(TTL);
    expect(await late.release()).toBe(false);
    expect(await row()).toMatchObject({ used: 0, entries: [], fresh_at: clock() });
    await limiter.acquire("reports", { count: 3 });
    clock.advance(TTL);
    await limiter.acquire("reports");
    expect(await lent()).toEqual([[clock() + TTL, 1]]);
  });

  test("begins anew when all is given back, within one turn too, where the clock is behind", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    const first = await limiter.acquire("reports");
    clock.advance(-1000);
    const turn = [first.release(), limiter.acquire("reports", { count: 2 })] as const;
    const [freed, { resetAfter }] = await Promise.all(turn);
    expect({ freed, resetAfter }).toEqual({ freed: true, resetAfter: TTL });
    expect(await row()).toMatchObject({ used: 2, since: clock(), fresh_at: clock() + TTL });
    expect(await lent()).toEqual([[clock() + TTL, 2]]);
  });

  test("is not settled", async () => {
    const store = postgresStore(pool, { deadline: 20_000 });
    await limiterOf().acquire("reports");
    const before = await row();
    const budget = { plan: planFor("reports", LIMITS.reports), key: undefined };
    const up = { reserved: 0, used: 2 };
    expect(await asking(store).settle(budget, up)).toMatchObject({ remaining: 2 });
    expect(await row()).toEqual(before);
  });

  test("is not written by what was refused, nor by a look", async () => {
    const limiter = limiterOf();
    const some = await limiter.acquire("reports", { count: 3 });
    const version = async () => (await pool.query("select xmin, ctid from spillway.budgets")).rows;
    const before = await version();
    expect(await limiter.acquire("reports")).toMatchObject({ ok: false });
    expect(await limiter.acquire("reports", { headroom: 1 })).toMatchObject({ ok: false });
    expect(await limiter.check("reports")).toMatchObject({ ok: false });
    expect(await limiter.value("reports")).toMatchObject({ remaining: 0 });
    expect(await version()).toEqual(before);
    expect(await some.release()).toBe(true);
  });

  test("is swept when nothing can be in flight any more, and not before", async () => {
    const clock = manualClock();
    const limiter = limiterOf({ clock });
    await limiter.acquire("reports");
    const end = clock() + TTL;
    const sweptAt = async (now: number) => {
      await pool.query("select spillway.v4_sweep('', 1000, $1)", [now]);
      return (await row()) === undefined;
    };
    expect(await sweptAt(end - 1)).toBe(false);
    clock.advance(TTL - 1);
    expect(await limiter.value("reports")).toMatchObject({ remaining: 2 });
    clock.advance(1);
    expect(await limiter.value("reports")).toMatchObject({ remaining: 3 });
    expect(await sweptAt(end)).toBe(true);
  });

  test("can hold many, and tells all of them", async () => {
    const limits = { many: { kind: "concurrency", capacity: 300, ttl: "1h" } } as const;
    const limiter = new RateLimiter(limits, { store: postgresStore(pool, { deadline: 20_000 }) });
    const all = await Promise.all(Array.from({ length: 300 }, () => limiter.acquire("many")));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(new Set((await row()).entries.filter((_, place) => place % 3 === 2)).size).toBe(300);
    expect(await limiter.acquire("many")).toMatchObject({ ok: false });
    const middle = all.slice(100, 200);
    expect(await Promise.all(middle.map((lease) => lease.renew()))).not.toContain(false);
    expect(await Promise.all(all.map((lease) => lease.release()))).not.toContain(false);
    expect(await row()).toMatchObject({ used: 0, entries: [] });
  });

  test("of a limit that has changed is told the same where nothing can be written", async () => {
    const clock = manualClock();
    const store = postgresStore(pool, { clock, deadline: 20_000 });
    await limiterOf({ clock }).acquire("reports", { count: 3 });
    clock.advance(1000);
    const reports = { kind: "concurrency", capacity: 2, ttl: "10s" } as const;
    const narrower = new RateLimiter({ reports }, { store });
    const over = { remaining: 0, reserved: 1, resetAfter: 10_000 };
    const client = await pool.connect();
    await client.query("begin read only");
    expect(await narrower.within(client).value("reports")).toMatchObject(over);
    await client.query("commit");
    client.release();
    expect(await row()).toMatchObject({ used: 3, fresh_at: clock() - 1000 + TTL });
    expect(await narrower.value("reports")).toMatchObject(over);
    // The row stays for the old definition, of which some processes may still ask.
    expect(await row()).toMatchObject({ used: 3, since: clock(), fresh_at: clock() + 2 * TTL });
    expect(await lent()).toEqual([[clock() + 10_000, 3]]);
  });
});

describe("leases in a transaction of the caller's", () => {
  const inFlight = async () => 3 - (await limiterOf().value("reports")).remaining;

  async function transacted(end: "commit" | "rollback", work: (client: object) => Promise<void>) {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await work(client);
      await client.query(end);
    } finally {
      client.release();
    }
  }

  test("are taken when it commits, and never were when it is rolled back", async () => {
    const take = async (client: object) => {
      const lease = await limiterOf().within(client).acquire("reports", { count: 2 });
      expect(lease).toMatchObject({ ok: true, remaining: 1 });
    };
    await transacted("rollback", take);
    expect(await inFlight()).toBe(0);
    await transacted("commit", take);
    expect(await inFlight()).toBe(2);
  });

  test("are given back and renewed when it commits, and not when it is rolled back", async () => {
    const store = postgresStore(pool, { deadline: 20_000 });
    const budget = { plan: planFor("reports", LIMITS.reports), key: undefined };
    const held = { id: 7, count: 2 };
    await asking(store).limit({
      ...budget,
      count: 2,
      reserve: false,
      lease: { id: 7, headroom: 0 },
    });
    const change = async (client: object) => {
      const within = asking(store.within?.(client) as Store<"later">);
      expect(await within.renew(budget, held)).toBe(true);
      expect(await within.release(budget, held)).toBe(true);
      expect(await within.release(budget, held)).toBe(false);
    };
    await transacted("rollback", change);
    expect(await inFlight()).toBe(2);
    await transacted("commit", change);
    expect(await inFlight()).toBe(0);
  });

  test("go together with units, in one statement with what is asked beside them", async () => {
    await transacted("commit", async (client) => {
      const within = limiterOf().within(client);
      const both = [{ limit: "calls" }, { limit: "reports", count: 3 }] as const;
      const all = [within.limitAll(both), within.limitAll(both), within.value("calls")] as const;
      const [first, second, calls] = await Promise.all(all);
      expect(first).toMatchObject({ ok: true });
      expect(second).toMatchObject({ ok: false, limit: "reports" });
      expect(calls).toMatchObject({ remaining: 4 });
      expect(await first.lease?.release()).toBe(true);
    });
    expect(await inFlight()).toBe(0);
  });
});

/** Those who want to be in flight, and how often each of them does. */
const HOLDERS = 12;
const TIMES = 12;

describe.each(ISOLATIONS)("with many who want the same leases, %s", (isolation) => {
  test("never are more in flight than may be, and in the end none is", async () => {
    await pool.query(NOTED);
    await pool.query("insert into noted values ($1, 0)", [isolation]);
    await using used = new AsyncDisposableStack();
    const url = isolated(server.url, isolation);
    const libraries = [used.use(await openPg(url)), used.use(await openPostgresJs(url))];
    const seen = await Promise.all(
      Array.from({ length: HOLDERS }, async (_, number) => {
        const library = libraries[number % 2] as Library;
        const holder = new LeaseHolder({ library, key: isolation, number, within: number % 4 < 2 });
        const noted: number[] = [];
        for (let time = 0; time < TIMES; time++) noted.push(await holder.hold());
        return noted;
      }),
    );
    expect(Math.max(...seen.flat())).toBe(CAPACITY);
    expect(await limiterOf().value("reports", { key: isolation })).toMatchObject({
      remaining: CAPACITY,
    });
    expect(await row()).toMatchObject({ used: 0, entries: [] });
    const left = await pool.query("select units from noted where key = $1", [isolation]);
    expect(left.rows).toEqual([{ units: 0 }]);
  });
});
