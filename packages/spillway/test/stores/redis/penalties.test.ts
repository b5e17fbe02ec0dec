/** What Redis keeps of a key's refusals, and many calls in one request: answers as in memory. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type {
  Ask,
  Command,
  Limit,
  LimitSettings,
  PenaltySettings,
  Plan,
  Random,
  Store,
  Timing,
} from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { argumentsOf } from "../../../src/stores/redis/script-protocol.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { until } from "../../servers/until.ts";
import { ownRedis } from "./own-redis.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const key = "k";
const STATE = "p:{1=k}:it";

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

function limiterOf(limits: { readonly [name: string]: Limit }) {
  return new RateLimiter(limits, { store: redisStore(client, { prefix: "p", deadline: 10_000 }) });
}

const penalty = { after: 2, within: "10d", block: "1d", most: "30d" } as const;
const plain = { kind: "token bucket", rate: 5, period: 1 } as const;
const it = { ...plain, penalty } as const;
const limited = { ok: false, reason: "limited", degraded: undefined };
const penalized = { ok: false, reason: "penalized", degraded: undefined };
const unavailable = { ok: false, reason: "unavailable", degraded: true };

test("a key lasts for as long as its record matters, and no longer", async () => {
  const limiter = limiterOf({ it });
  const lasts = async (days: number) => {
    expect(await client.pttl(STATE)).toBeGreaterThan((days - 1) * DAY);
    expect(await client.pttl(STATE)).toBeLessThanOrEqual(days * DAY);
  };
  await limiter.limit("it", { key, count: 9 });
  await lasts(10);
  await limiter.limit("it", { key, count: 9 });
  await lasts(31);
  await limiter.reset("it", { key });
  await lasts(31);
  await limiter.block("it", { key, for: "1h" });
  await lasts(31);
  await limiter.unblock("it", { key });
  expect(await client.exists(STATE)).toBe(0);
});

test("a record that does not matter any more leaves the value", async () => {
  const short = { ...penalty, within: 1 };
  const limiter = limiterOf({ it: { ...it, rate: 1e6, period: "1d", penalty: short } });
  await limiter.limit("it", { key });
  const alone = await client.strlen(STATE);
  await limiter.limit("it", { key, count: 1e9 });
  expect(await client.strlen(STATE)).toBeGreaterThan(alone);
  const isShort = async () => {
    await limiter.limit("it", { key });
    return (await client.strlen(STATE)) <= alone;
  };
  await until(isShort, { what: "the value is as long as before" });
});

test("a record is kept in the state itself, in few bytes", async () => {
  const limiter = limiterOf({ it: { ...it, period: "1h" } });
  await limiter.limit("it", { key, count: 2 });
  const alone = await client.strlen(STATE);
  for (const _ of [1, 2]) await limiter.limit("it", { key, count: 5 });
  expect(await limiter.limit("it", { key })).toMatchObject(penalized);
  expect(await client.keys("*")).toEqual([STATE]);
  expect(await client.strlen(STATE)).toBeLessThan(alone + 50);
});

test("a program without the penalty keeps a record, and refuses for it", async () => {
  const [limiter, older] = [limiterOf({ it }), limiterOf({ it: plain })];
  await limiter.limit("it", { key, count: 9 });
  expect(await older.limit("it", { key, count: 9 })).toMatchObject({ reason: "too large" });
  expect(await older.limit("it", { key })).toMatchObject({ ok: true });
  expect(await limiter.limit("it", { key, count: 9 })).toMatchObject(penalized);
  expect(await older.limit("it", { key })).toMatchObject(penalized);
  expect(await older.value("it", { key })).toMatchObject({ penalized: true });
});

test("a limit without a penalty is asked for in as few bytes as before", () => {
  const plan = planFor("it", plain);
  const settings = settingsOf(undefined);
  const ask = { plan, key, count: 1, reserve: false };
  const sent = (asks: readonly Ask[]) =>
    argumentsOf(new PortRequest([{ verb: "limit", budgets: asks }], String), undefined);
  expect(sent([{ ...ask, settings }])).toEqual(sent([ask]));
  expect(sent([ask])).toHaveLength(5);
});

/** Changes one byte of a record: the list of four numbers in the list of rare parts. */
async function damage(change: (at: number, value: Buffer) => void): Promise<void> {
  const value = (await client.getBuffer(STATE)) as Buffer;
  change(value.indexOf(Buffer.from([0x91, 0x94])), value);
  await client.set(STATE, value);
}

test.each<[string, (at: number, value: Buffer) => void]>([
  ["a number too few", (at, value) => value.writeUInt8(0x93, at + 1)],
  ["text in place of a number", (at, value) => value.writeUInt8(0xa0, at + 2)],
  ["a number below 0", (at, value) => value.writeUInt8(0xff, at + 2)],
])("a record with %s is none of ours", async (_, change) => {
  const limiter = limiterOf({ it, other: it });
  await limiter.limit("it", { key, count: 9 });
  await damage(change);
  const value = await client.getBuffer(STATE);
  await limiter.limit("other", { key, count: 9 });
  // The whole call fails, so it counts no refusal of the other limit.
  const asks = [
    { limit: "other", key, count: 9 },
    { limit: "it", key },
  ];
  for (const _ of [1, 2, 3]) expect(await limiter.limitAll(asks)).toMatchObject(unavailable);
  expect(await limiter.limit("other", { key })).toMatchObject({ ok: true });
  // In one request.
  const asked = asks.toReversed().map(({ limit, ...options }) => limiter.limit(limit, options));
  expect(await Promise.all(asked)).toMatchObject([unavailable, penalized]);
  expect(await client.getBuffer(STATE)).toEqual(value);
});

test("a refusal that can't be counted fails, and one that counts nothing does not", async () => {
  const limiter = limiterOf({ it: { ...it, period: "366d" }, blocked: it, plain });
  await limiter.limit("it", { key, count: 5 });
  for (const _ of [1, 2]) await limiter.limit("blocked", { key, count: 9 });
  await client.config("SET", "maxmemory", 1);
  try {
    for (const _ of [1, 2, 3]) {
      // In one request.
      const [counts, check, blocked, uncounted] = await Promise.all([
        limiter.limit("it", { key }),
        limiter.check("blocked", { key }),
        limiter.limit("blocked", { key }),
        limiter.limit("plain", { key, count: 9 }),
      ]);
      expect(counts).toMatchObject(unavailable);
      expect([check, blocked]).toMatchObject([penalized, penalized]);
      expect(uncounted).toMatchObject({ reason: "too large", degraded: undefined });
    }
    expect(await limiter.check("it", { key })).toMatchObject(limited);
  } finally {
    await client.config("SET", "maxmemory", 0);
  }
  expect(await limiter.limit("it", { key })).toMatchObject(limited);
  expect(await limiter.limit("it", { key })).toMatchObject(penalized);
});

/** Expects the same of Redis and of memory, a millisecond apart. Returns the Redis store. */
async function expectSame(commands: readonly (Command | number)[]): Promise<Store> {
  const clock = manualClock();
  const far = redisStore(client, { clock, prefix: "p", deadline: 10_000 });
  const near = memoryStore({ clock });
  for (const [step, command] of commands.entries()) {
    if (typeof command === "number") clock.advance(command);
    else expect(await far.execute(command), `step ${step}`).toEqual(near.execute(command));
    clock.advance(1);
  }
  return far;
}

function settingsOf(penalty: PenaltySettings | undefined): LimitSettings {
  return { whenUnavailable: "closed", shards: 1, penalty };
}

test("a limit that lends now refuses for a penalty, and keeps the record", async () => {
  const [plan, lent] = [plain, { ...plain, share: 1000 }].map((limit) => planFor("it", limit));
  const settings = settingsOf({ after: 2, within: HOUR, block: HOUR, most: HOUR });
  const ask = { key, count: 9, reserve: false, settings };
  const refused: Command = { verb: "limit", budgets: [{ ...ask, plan: plan as Plan }] };
  const draw: Command = {
    verb: "draw",
    budgets: [{ ...ask, plan: lent as Plan, count: 1 }],
    draw: { id: 1, want: 2, left: [], back: [] },
  };
  await expectSame([refused, refused, draw, draw, refused]);
});

test("refusals move with a clock that steps back", async () => {
  const settings = settingsOf({ after: 2, within: HOUR, block: HOUR, most: HOUR });
  const ask = { plan: planFor("it", { ...plain, period: HOUR }), key, reserve: false, settings };
  const take: Command = { verb: "limit", budgets: [{ ...ask, count: 1 }] };
  const refused: Command = { verb: "limit", budgets: [{ ...ask, count: 9 }] };
  await expectSame([take, refused, -3 * HOUR, take, 1.5 * HOUR, refused, take]);
});

test("the level of a record is bounded", async () => {
  const settings = settingsOf({ after: 1, within: 1, block: 1, most: 1 });
  const ask = { plan: planFor("it", plain), key, count: 9, reserve: false, settings };
  const refused: Command = { verb: "limit", budgets: [ask] };
  const store = await expectSame(Array.from({ length: 40 }, () => refused));
  const [snapshot] = await store.execute({ verb: "peek", budgets: [ask] });
  expect(snapshot?.state.penalty).toMatchObject({ level: 35 });
});

/** Two definitions of each limit. Of some, units come back after penalties have ended. */
const LIMITS: readonly (readonly [Limit, Limit])[] = [
  [
    { kind: "token bucket", rate: 3, period: 700 },
    { kind: "token bucket", rate: 4, period: 900 },
  ],
  [
    { kind: "fixed window", rate: 3, period: 800 },
    { kind: "fixed window", rate: 4, period: 650 },
  ],
  [
    { kind: "sliding window", rate: 3, period: 700 },
    { kind: "sliding window", rate: 2, period: 900 },
  ],
  [
    { kind: "sliding log", rate: 300, period: 20_000 },
    { kind: "sliding log", rate: 200, period: 15_000 },
  ],
];
const PENALTIES: readonly (PenaltySettings | undefined)[] = [
  { after: 1, within: 400, block: 100, most: 700 },
  { after: 3, within: 1500, block: 150, most: 500 },
  undefined,
];
const PLANS = LIMITS.map((limits) => limits.map((limit) => planFor(limit.kind, limit)));

/** The ask of a random program for one of the limits: some have another definition or penalty. */
function sampleAsk(random: Random, limit: number): Ask {
  const below = (most: number) => Math.floor(random() * most);
  const plan = PLANS[limit]?.[below(4) === 0 ? 1 : 0] as Plan;
  const settings = settingsOf(PENALTIES[below(PENALTIES.length)]);
  const count = plan.capacity >= 200 && below(2) === 0 ? below(250) : below(4);
  return { plan, key, count, reserve: below(5) === 0, settings };
}

function sample(random: Random): Command {
  const below = (most: number) => Math.floor(random() * most);
  const limit = below(LIMITS.length);
  const ask = sampleAsk(random, limit);
  const budgets = [ask] as const;
  const own = PLANS[limit]?.[below(2)] as Plan;
  const calls: readonly Command[] = [
    { verb: "check", budgets },
    { verb: "value", budgets },
    { verb: "settle", budgets, settlement: { reserved: ask.count, used: below(4) } },
    { verb: "reset", budgets },
    { verb: "block", budgets, ms: 1 + below(300) },
    { verb: "unblock", budgets },
    { verb: "override", budgets, plan: own, ms: below(3) * 400 },
    { verb: "limit", budgets: [0, 1, 3].map((each) => sampleAsk(random, each)) },
  ];
  // A check may follow a refusal in one request, and counts nothing.
  return calls[below(6) === 0 ? 0 : below(30)] ?? { verb: "limit", budgets };
}

/** Returns the parts of all records that still count. */
async function recordsOf(store: Store<Timing>): Promise<unknown> {
  const budgets = PLANS.map(([plan]) => ({ plan: plan as Plan, key }));
  const snapshots = await store.execute({ verb: "peek", budgets, units: 1 });
  return snapshots.map(({ state: { penalty }, now }) => {
    const { refusals = 0, until: over = 0, level = 0, forgottenAt = 0 } = penalty ?? {};
    return [over > now && [refusals, over - now], forgottenAt > now && [level, forgottenAt - now]];
  });
}

test.each(Array.from({ length: runs(12) }, (_, index) => FIRST_SEED + index))(
  "many calls of programs with different penalties, in one request, seed %d",
  async (seed) => {
    const random = seededRandom(seed);
    const clock = manualClock();
    const far = redisStore(client, { clock, prefix: "p", deadline: 10_000 });
    const near = memoryStore({ clock });
    await recordsOf(far);
    for (let step = 0; step < 100; step++) {
      const commands = Array.from({ length: 1 + Math.floor(random() * 6) }, () => sample(random));
      const answers = await Promise.all(commands.map((command) => far.execute(command)));
      const expected = commands.map((command) => near.execute(command));
      const where = `step ${step}, ${JSON.stringify(commands)}`;
      expect(answers, where).toEqual(expected);
      expect(await recordsOf(far), where).toEqual(await recordsOf(near));
      clock.advance(random() < 0.3 ? 0 : Math.floor(random() * 300));
      // By less than a period: further back, one store may have forgotten what the other has not.
      if (step % 30 === 29) clock.advance(-Math.floor(random() * 650));
    }
  },
);
