/** What is asked most of concurrency limits is carried out by a shorter part of the script: the same, byte for byte. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Budget, Command, Plan, Random, State } from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { RedisKeys } from "../../../src/stores/redis/redis-keys.ts";
import { SCRIPT } from "../../../src/stores/redis/script.generated.ts";
import { argumentsOf, readReply } from "../../../src/stores/redis/script-protocol.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { monitored, ownRedis } from "./own-redis.ts";

/** What tells the script that the shorter part may do; one step alone comes without JSON. */
const FLAG = `"leases":true`;
const STEPS = 150;
const TTL = 100;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** A limit, whose value may hold all of its leases, and one that may have more. */
function samplePlans(random: Random): readonly Plan[] {
  const small = 1 + Math.floor(random() * 6);
  return [
    planFor("small", { kind: "concurrency", capacity: small, ttl: TTL }),
    planFor("large", { kind: "concurrency", capacity: 30, ttl: 5 * TTL }),
    planFor("small", { kind: "concurrency", capacity: small + 1, ttl: TTL / 2 }),
  ];
}

/** Leases that were asked for, by the budget. */
type Asked = Map<string, { id: number; count: number }[]>;

/** A step on a lease of some of the keys; now and then something that makes states unusual. */
function sampleCommands(
  random: Random,
  [small, large, other]: readonly Plan[],
  asked: Asked,
): readonly Command[] {
  const below = (most: number) => Math.floor(random() * most);
  const plan = (random() < 0.02 ? other : random() < 0.4 ? large : small) as Plan;
  const keys = random() < 0.7 ? [["k", "l"][below(2)] as string] : ["k", "l", "m"];
  const budget = { plan, key: keys[0] as string };
  if (random() < 0.02) return [{ verb: "block", budgets: [budget], ms: TTL / 4 }];
  if (random() < 0.05) return [{ verb: "unblock", budgets: [budget] }];
  if (random() < 0.01) return [{ verb: "reset", budgets: [budget] }];
  if (random() < 0.02) {
    return [{ verb: "limit", budgets: [{ ...budget, count: 1, reserve: false }] }];
  }
  if (random() < 0.05) {
    // Several steps on a key, and a budget without one.
    const twice = [
      stepOn(budget, { below, random, asked }),
      stepOn(budget, { below, random, asked }),
    ];
    return random() < 0.5 ? twice : [...twice, { verb: "value", budgets: [{ plan, key: "m" }] }];
  }
  const isMixed = keys.length > 1 && random() < 0.5;
  const planOf = (index: number) => (isMixed ? ([small, large][index % 2] as Plan) : plan);
  return keys.map((key, index) => stepOn({ plan: planOf(index), key }, { below, random, asked }));
}

type Scene = { below: (most: number) => number; random: Random; asked: Asked };

function stepOn(budget: Budget, { below, random, asked }: Scene): Command {
  const name = `${budget.plan.limit} ${budget.key}`;
  const leases = asked.get(name) ?? [];
  asked.set(name, leases);
  const lease = leases[Math.max(0, leases.length - 1 - below(6))] ?? { id: 5, count: 1 };
  const chance = random();
  if (chance < 0.25) return { verb: "release", budgets: [budget], lease };
  if (chance < 0.35) return { verb: "renew", budgets: [budget], lease };
  if (chance < 0.4) {
    const count = lease.count + 1;
    return {
      verb: random() < 0.5 ? "renew" : "release",
      budgets: [budget],
      lease: { ...lease, count },
    };
  }
  const count = random() < 0.7 ? 1 : below(4);
  const headroom = random() < 0.2 ? below(4) : 0;
  // Ids of small numbers look like bytes of other fields; and an id may come twice.
  const id = random() < 0.05 ? lease.id : random() < 0.2 ? 1 + below(3) : 1 + below(2 ** 50);
  leases.push({ id, count });
  return {
    verb: "limit",
    budgets: [{ ...budget, count, reserve: false, lease: { id, headroom } }],
  };
}

type Way = "short" | "long";

/** The arguments that let the rest of the script carry a request out. */
function longWay(request: PortRequest, values: readonly string[], now: number): readonly string[] {
  const [plans = "", fields = "", ...rest] = values;
  if (plans.startsWith("[")) return [plans, fields.replace(FLAG, `"leases":false`), ...rest];
  const [definition, form, period, capacity] = values;
  const numbers = [6, Number(capacity), Number(period), 1, 0, Number(capacity), 0];
  const steps = request.steps;
  return [JSON.stringify([[definition, ...numbers, form]]), JSON.stringify({ steps }), `${now}`];
}

const shown = (state: State | Error) =>
  state instanceof Error
    ? "an error"
    : { ...state, plan: undefined, leases: [...(state.leases ?? [])] };

/** The script's reply, and all values after it. */
async function carriedOut(commands: readonly Command[], way: Way, now: number) {
  const nameOf = ({ plan, key }: Budget) => `${way}:{${key}}:${plan.limit}`;
  const request = new PortRequest(commands, nameOf, { hasLooks: true });
  const { names } = request;
  const all = argumentsOf(request, now);
  const values = way === "short" ? all : longWay(request, all, now);
  const reply = await client.evalsha(SCRIPT.sha1, names.length, ...names, ...values);
  const { states, ...rest } = readReply(request, reply, new RedisKeys("p", undefined));
  return {
    answer: { ...rest, states: states.map(shown) },
    isText: typeof reply === "string",
  };
}

/** What each of the ways has written, whatever the command. */
function writtenBy(commands: readonly (readonly string[])[]): readonly [unknown, unknown] {
  const plain = commands.flatMap(([verb = "", key = "", ...rest]) => {
    if (verb === "SET") return [[key, rest[0], rest[2]]];
    if (verb === "PSETEX") return [[key, rest[1], rest[0]]];
    return ["DEL", "UNLINK", "ZADD", "ZREM", "PEXPIRE"].includes(verb)
      ? [[key, verb, ...rest]]
      : [];
  });
  const by = (way: Way) =>
    plain
      .filter(([key]) => key?.startsWith(way))
      .map(([key, ...rest]) => [key?.slice(way.length), ...rest]);
  return [by("short"), by("long")];
}

/** Carries commands out in both ways, and expects the same of both. */
async function expectSame(commands: readonly Command[], now: number, monitor: Monitor) {
  const where = JSON.stringify(commands);
  const short = await carriedOut(commands, "short", now);
  const long = await carriedOut(commands, "long", now);
  expect(short.answer, where).toEqual(long.answer);
  const written = await monitor.take();
  const [one, other] = writtenBy(written);
  expect(one, where).toEqual(other);
  return { isText: short.isText, isSet: written.some(([verb]) => verb === "SET") };
}

type Monitor = Awaited<ReturnType<typeof monitored>>;

const seeds = Array.from({ length: runs(4) }, (_, index) => FIRST_SEED + index);
test.each(seeds)("leases are held as by the rest of the script, seed %d", async (seed) => {
  const random = seededRandom(seed);
  const clock = manualClock();
  await client.script("LOAD", SCRIPT.source);
  await using monitor = await monitored(client);
  const plans = samplePlans(random);
  const asked: Asked = new Map();
  let [texts, lists] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    const spans = [0, 0, 1, 7, TTL / 2, TTL, -5, -3 * TTL];
    clock.advance(spans[Math.floor(random() * (random() < 0.9 ? 4 : spans.length))] as number);
    // Whatever is unusual is over.
    if (step % 30 === 29) clock.advance(30 * TTL);
    const commands = sampleCommands(random, plans, asked);
    const { isText, isSet } = await expectSame(commands, clock(), monitor);
    if (isText) texts++;
    else if (isSet) lists++;
  }
  // The rest of the script replies by no text, and writes by no SET.
  expect(texts).toBeGreaterThan(STEPS / 10);
  expect(lists).toBeGreaterThan(STEPS / 50);
});

const JOBS = { kind: "concurrency", capacity: 20, ttl: TTL } as const;

/** Steps of [verb, id, units, headroom], with a millisecond between two. */
type Told = readonly (readonly [verb: "limit" | "release" | "renew", id: number, count: number])[];

const RATE = planFor("told", { kind: "token bucket", rate: 20, period: TTL });

test("a release of a budget of another kind does nothing, in both ways", async () => {
  await client.script("LOAD", SCRIPT.source);
  await using monitor = await monitored(client);
  const budget = { plan: RATE, key: "k" };
  const release: Command = { verb: "release", budgets: [budget], lease: { id: 1, count: 1 } };
  const take: Command = { verb: "limit", budgets: [{ ...budget, count: 1, reserve: false }] };
  for (const command of [release, take, release]) await expectSame([command], 1000, monitor);
});

const TOLD: Readonly<Record<string, Told>> = {
  "a lease that is one too many for the value": Array.from(
    { length: 18 },
    (_, index) => ["limit", 100 + index, 1] as const,
  ),
  "a refusal for ever, after the newest lease was released": [
    ["limit", 100, 2],
    ["limit", 101, 1],
    ["release", 101, 1],
    ["limit", 102, 21],
    ["limit", 102, 19],
  ],
  "an id like the units of another lease and the zeros of its id": [
    ["limit", 2 ** 24, 3],
    ["limit", 3, 1],
    ["renew", 3, 1],
    ["release", 3, 1],
    ["limit", 3, 1],
  ],
};

test.each(Object.keys(TOLD))("%s is the same in both ways", async (what) => {
  const plan = planFor("told", JOBS);
  await client.script("LOAD", SCRIPT.source);
  await using monitor = await monitored(client);
  for (const [index, [verb, id, count]] of (TOLD[what] ?? []).entries()) {
    const budget = { plan, key: "k" };
    const command: Command =
      verb === "limit"
        ? { verb, budgets: [{ ...budget, count, reserve: false, lease: { id, headroom: 0 } }] }
        : { verb, budgets: [budget], lease: { id, count } };
    await expectSame([command], 1000 + index, monitor);
  }
});
