/** A unit of each key of one bucket is taken by a shorter part of the script: the same, byte for byte. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Budget, Command, Plan, Random } from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { RedisKeys } from "../../../src/stores/redis/redis-keys.ts";
import { SCRIPT } from "../../../src/stores/redis/script.generated.ts";
import { argumentsOf, readReply } from "../../../src/stores/redis/script-protocol.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { command } from "../../servers/command.ts";
import { monitored, ownRedis } from "./own-redis.ts";

const STEPS = 150;
const PERIOD = 100;
/** Arguments of a unit of each key, under a clock for tests. */
const UNIT_ARGUMENTS = 7;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** A bucket of a few units; one whose ticks need 5 bytes; and the first one as it is later. */
function samplePlans(random: Random): readonly Plan[] {
  const rate = 1 + Math.floor(random() * 7);
  const large = { rate: 9_999_991, period: 86_400_000, capacity: 5 } as const;
  return [
    planFor("small", { kind: "token bucket", rate, period: PERIOD, maxReserved: 3 }),
    planFor("large", { kind: random() < 0.5 ? "leaky bucket" : "token bucket", ...large }),
    // Its definition is as long a text as the first one's.
    planFor("small", { kind: "token bucket", rate: rate + 1, period: 3 * PERIOD, maxReserved: 3 }),
  ];
}

/** A unit of some keys of one limit; now and then something that makes states unusual. */
function sampleCommands(random: Random, [small, large, other]: readonly Plan[]): Command[] {
  const plan = (random() < 0.05 ? other : random() < 0.3 ? large : small) as Plan;
  const all: Budget[] = ["k", "l", "m"].map((key) => ({ plan, key }));
  const some = random() < 0.5 ? [all[Math.floor(random() * 3)] as Budget] : all;
  const budget = some[0] as Budget;
  const chance = random();
  if (chance < 0.03) return [{ verb: "block", budgets: [budget], ms: PERIOD / 4 }];
  if (chance < 0.06) return [{ verb: "reset", budgets: [budget] }];
  if (chance < 0.09) {
    return [{ verb: "settle", budgets: [budget], settlement: { reserved: 1, used: 0 } }];
  }
  if (chance < 0.14) {
    const reserve = plan.kind === "token bucket";
    return [{ verb: "limit", budgets: [{ ...budget, count: 2, reserve }] }];
  }
  return some.map((one) => ({ verb: "limit", budgets: [{ ...one, count: 1, reserve: false }] }));
}

type Way = "short" | "long";

/** The script's answer, and all values and times after it. */
async function carriedOut(commands: readonly Command[], way: Way, now: number) {
  const nameOf = ({ plan, key }: Budget) => `${way}:{${key}}:${plan.limit}`;
  const request = new PortRequest(commands, nameOf, { hasLooks: true });
  const { names } = request;
  const all = argumentsOf(request, now);
  const isShort = all.length === UNIT_ARGUMENTS;
  const values = isShort && way === "long" ? [all[0] as string, "", `${now}`] : all;
  const reply = await client.evalsha(SCRIPT.sha1, names.length, ...names, ...values);
  const { states, ...rest } = readReply(request, reply, new RedisKeys("p", undefined));
  const shown = states.map((state) => (state instanceof Error ? "an error" : state));
  return { answer: { ...rest, states: shown }, kept: await client.mgetBuffer(names), isShort };
}

/** What each of the ways has written, and until when it is kept. */
function writtenBy(commands: readonly (readonly string[])[], way: Way) {
  return commands
    .filter(([verb = "", key = ""]) => ["PSETEX", "DEL"].includes(verb) && key.startsWith(way))
    .map(([verb, key, ...rest]) => [verb, key?.slice(way.length), ...rest]);
}

const seeds = Array.from({ length: runs(4) }, (_, index) => FIRST_SEED + index);
test.each(seeds)("units are taken as by the rest of the script, seed %d", async (seed) => {
  const random = seededRandom(seed);
  const clock = manualClock();
  await client.script("LOAD", SCRIPT.source);
  await using monitor = await monitored(client);
  const plans = samplePlans(random);
  let units = 0;
  for (let step = 0; step < STEPS; step++) {
    const spans = [0, 0, 1, 7, PERIOD / 2, PERIOD, -5, -3 * PERIOD];
    clock.advance(spans[Math.floor(random() * (random() < 0.9 ? 4 : spans.length))] as number);
    // Whatever is unusual is over.
    if (step % 30 === 29) clock.advance(30 * PERIOD);
    const commands = sampleCommands(random, plans);
    const where = `step ${step}, ${JSON.stringify(commands)}`;
    const { isShort, ...short } = await carriedOut(commands, "short", clock());
    const { answer, kept } = await carriedOut(commands, "long", clock());
    expect(short, where).toEqual({ answer, kept });
    const written = await monitor.take();
    expect(writtenBy(written, "short"), where).toEqual(writtenBy(written, "long"));
    if (isShort) units++;
  }
  expect(units).toBeGreaterThan(STEPS / 2);
});

test.each([1, 2, 5])("a rested bucket of %d units spends them exactly", async (rate) => {
  await client.script("LOAD", SCRIPT.source);
  const plan = planFor("it", { kind: "token bucket", rate, period: PERIOD });
  const take = (keys: readonly string[]): Command[] =>
    keys.map((key) => ({
      verb: "limit",
      budgets: [{ plan, key, count: 1, reserve: false }],
    }));
  for (let taken = 1; taken <= rate + 1; taken++) {
    for (const keys of [["alone"], ["k", "l"]]) {
      const { answer, isShort } = await carriedOut(take(keys), "short", 1000);
      expect(isShort).toBe(true);
      expect(answer.charged).toBe(taken <= rate ? keys.length : 0);
    }
  }
});

const LIMITS = { bucket: { kind: "token bucket", rate: 1000, period: "12h" } } as const;

const open = () =>
  new RateLimiter(LIMITS, { store: redisStore(client, { prefix: "p", deadline: 10_000 }) });

test("a user without the right to GET takes units", async () => {
  const limiter = open();
  const { port } = client.options;
  await command(port as number, "ACL", "SETUSER", "default", "-get");
  try {
    for (let left = 999; left > 990; left--) {
      const { remaining, degraded } = await limiter.limit("bucket", { key: "k" });
      expect([remaining, degraded]).toEqual([left, undefined]);
    }
  } finally {
    await command(port as number, "ACL", "SETUSER", "default", "+get");
  }
});

test("a bucket's key that holds a list fails, alone and beside others, and keeps it", async () => {
  const limiter = open();
  await client.rpush("p:{1=k}:bucket", "mine");
  const take = (key: string) => limiter.limit("bucket", { key });
  expect(await take("k")).toMatchObject({ degraded: true });
  const [bad, good] = await Promise.all([take("k"), take("l")]);
  expect(bad).toMatchObject({ degraded: true });
  expect(good).toMatchObject({ ok: true, degraded: undefined });
  expect(await client.lrange("p:{1=k}:bucket", 0, -1)).toEqual(["mine"]);
});
