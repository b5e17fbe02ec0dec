/** What is asked most of sliding logs is carried out by a shorter part of the script: the same, byte for byte. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Budget, Command, Plan, Random } from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { SCRIPT } from "../../../src/stores/redis/script.generated.ts";
import { argumentsOf } from "../../../src/stores/redis/script-protocol.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { ownRedis } from "./own-redis.ts";

/** What lets the script take the shorter part; a unit of one log is sent as a number alone. */
const FLAG = `"logs":true`;
const UNIT_OF_ONE = "0";
const STEPS = 120;
const PERIOD = 100;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

/** Two logs, of which one may have more entries than a value holds. */
function samplePlans(random: Random): readonly Plan[] {
  const small = 1 + Math.floor(random() * 4);
  return [
    planFor("small", { kind: "sliding log", rate: small, period: PERIOD }),
    planFor("large", { kind: "sliding log", rate: 40, period: 10 * PERIOD }),
  ];
}

/** A unit of some budgets, each named once; now and then something that makes states unusual. */
function sampleCommands(random: Random, plans: readonly Plan[]): readonly Command[] {
  const all = plans.flatMap((plan) => ["k", "l", "m"].map((key) => ({ plan, key })));
  const some: Budget[] = all.filter(() => random() < 0.5);
  const [first = all[0] as Budget] = some;
  const ask = { ...first, count: 3, reserve: false };
  if (random() < 0.1) return [{ verb: "limit", budgets: [ask] }];
  const used = Math.floor(random() * 3);
  if (random() < 0.1) {
    return [{ verb: "settle", budgets: [first], settlement: { reserved: 1, used } }];
  }
  if (random() < 0.02) return [{ verb: "block", budgets: [first], ms: PERIOD }];
  return some.map((budget) => ({
    verb: "limit",
    budgets: [{ ...budget, count: 1, reserve: false }],
  }));
}

/** The script's reply, and all values after it. */
async function carriedOut(commands: readonly Command[], way: string, now: number) {
  const nameOf = ({ plan, key }: Budget) => `${way}:{${key}}:${plan.limit}`;
  const request = new PortRequest(commands, nameOf, { hasLooks: true });
  const [plans, fields, ...rest] = argumentsOf(request, now) as [string, string, string];
  const isOne = fields === UNIT_OF_ONE;
  const long = isOne ? `{"logs":false}` : fields.replace(FLAG, `"logs":false`);
  const said = way === "short" ? fields : long;
  const { names } = request;
  const reply = await client.evalsha(SCRIPT.sha1, names.length, ...names, plans, said, ...rest);
  const values = await client.mgetBuffer(names);
  return { reply, values, isShort: isOne || fields.includes(FLAG) };
}

const seeds = Array.from({ length: runs(4) }, (_, index) => FIRST_SEED + index);
test.each(seeds)("sliding logs are asked as by the rest of the script, seed %d", async (seed) => {
  const random = seededRandom(seed);
  const clock = manualClock();
  await client.script("LOAD", SCRIPT.source);
  const plans = samplePlans(random);
  let short = 0;
  for (let step = 0; step < STEPS; step++) {
    const spans = [0, 1, 3, 10, PERIOD, -5, 11 * PERIOD];
    clock.advance(spans[Math.floor(random() * (random() < 0.9 ? 4 : spans.length))] as number);
    const commands = sampleCommands(random, plans);
    if (commands.length === 0) continue;
    const { isShort, ...one } = await carriedOut(commands, "short", clock());
    const other = await carriedOut(commands, "long", clock());
    if (isShort) short++;
    expect(one).toEqual({ reply: other.reply, values: other.values });
  }
  expect(short).toBeGreaterThan(STEPS / 3);
});

test("a log's key that holds a list fails, and keeps it", async () => {
  const plan = planFor("log", { kind: "sliding log", rate: 3, period: PERIOD });
  await client.script("LOAD", SCRIPT.source);
  await client.rpush("short:{k}:log", "mine");
  const ask = { plan, key: "k", count: 1, reserve: false };
  const { reply } = await carriedOut([{ verb: "limit", budgets: [ask] }], "short", 0);
  expect(reply).toEqual([0, 0, -1, 0, 0]);
  expect(await client.lrange("short:{k}:log", 0, -1)).toEqual(["mine"]);
});
