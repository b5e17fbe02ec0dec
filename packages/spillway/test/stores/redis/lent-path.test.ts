/** What is asked most of limits that lend is carried out by a shorter part of the script: the same, byte for byte. */
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type {
  Budget,
  Command,
  Limit,
  Plan,
  Random,
  ShareRef,
} from "../../../src/limits/core/index.ts";
import { PortRequest } from "../../../src/stores/index.ts";
import { SCRIPT } from "../../../src/stores/redis/script.generated.ts";
import { argumentsOf } from "../../../src/stores/redis/script-protocol.ts";
import { manualClock, seededRandom } from "../../../src/testing/index.ts";
import { FIRST_SEED, runs } from "../../runs.ts";
import { monitored, ownRedis } from "./own-redis.ts";

/** What tells the script that the shorter part may do. */
const FLAG = `"lends":true`;

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

const KINDS = ["token bucket", "fixed window", "sliding window"] as const;
type Lent = (typeof KINDS)[number];

const MS = 50;
const BESIDE: Limit = { kind: "leaky bucket", rate: 3, period: 7 * MS, capacity: 4 };

/** Limits that lend of one definition, held for different times, so that shares end before those before them. */
function sampleLimits(random: Random, kind: Lent): readonly Limit[] {
  const below = (most: number) => Math.floor(random() * most);
  const limit = { kind, rate: 1 + below(12), period: MS * (4 + below(8)) };
  const more = kind === "token bucket" ? { capacity: 1 + below(20), maxReserved: below(4) } : {};
  const start = kind === "token bucket" ? {} : { start: 0 };
  const shares = [2 * MS, MS * (2 + below(2))];
  return shares.map((share) => ({ ...limit, ...more, ...start, share }) as Limit);
}

/** A unit, or a draw that says anything of shares that there were. */
function sampleCommand(random: Random, plans: readonly Plan[], shares: ShareRef[]): Command {
  const below = (most: number) => Math.floor(random() * most);
  const key = `key ${below(2)}`;
  const plan = plans[below(7) === 0 ? 2 : below(2)] as Plan;
  const ask = { plan, key, count: 1, reserve: false };
  if (plan.share === 0 || random() < 0.4) return { verb: "limit", budgets: [ask] };
  const some = () =>
    Array.from({ length: Math.max(0, below(5) - 2) }, () => {
      const one = shares[Math.max(0, shares.length - 1 - below(8))] ?? { id: 1, units: 0 };
      return { id: one.id, units: below(one.units + 3) };
    });
  const draw = {
    id: random() < 0.1 ? (shares.at(-1)?.id ?? 1) : shares.length + 1,
    want: below(6),
    left: some(),
    back: some(),
  };
  shares.push({ id: draw.id, units: draw.want });
  const count = below(4);
  const reserve = plan.kind === "token bucket" && random() < 0.3;
  return { verb: "draw", budgets: [{ ...ask, count, reserve }], draw };
}

/** What the script replies, by the shorter way and by the long one. */
async function bothWays(commands: readonly Command[], now: number): Promise<[unknown, unknown]> {
  const nameBy = (way: string) => (budget: Budget) => `${way}:${budget.plan.limit}:${budget.key}`;
  const reply = async (way: "short" | "long") => {
    const request = new PortRequest(commands, nameBy(way), { hasLooks: true });
    const [plans, fields, ...rest] = argumentsOf(request, now) as [string, string, string];
    expect(fields).toContain(FLAG);
    const said = way === "short" ? fields : fields.replace(FLAG, `"lends":false`);
    const { names } = request;
    return client.evalsha(SCRIPT.sha1, names.length, ...names, plans, said, ...rest);
  };
  await client.script("LOAD", SCRIPT.source);
  return [await reply("short"), await reply("long")];
}

/** What each of the ways has written. */
function writtenBy(commands: readonly (readonly string[])[]): readonly [unknown, unknown] {
  const writes = commands.filter(([verb]) => verb === "PSETEX" || verb === "DEL");
  const by = (way: string) =>
    writes
      .filter(([, key]) => key?.startsWith(way))
      .map(([verb, key, ...rest]) => [verb, key?.slice(way.length), ...rest]);
  return [by("short"), by("long")];
}

const cases = Array.from({ length: runs(3) }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
  KINDS.map((kind) => [kind, seed] as const),
);
test.each(cases)("a %s is asked as by the rest of the script, seed %d", async (kind, seed) => {
  const random = seededRandom(seed);
  const clock = manualClock();
  const limits = sampleLimits(random, kind);
  const plans = [...limits.map((limit) => planFor("it", limit)), planFor("beside", BESIDE)];
  const shares: ShareRef[] = [];
  await using monitor = await monitored(client);
  for (let step = 0; step < 80; step++) {
    const many = 1 + Math.floor(random() * 4);
    const commands = Array.from({ length: many }, () => sampleCommand(random, plans, shares));
    if (!commands.some(({ budgets }) => (budgets[0] as { plan: Plan }).plan.share > 0)) continue;
    const where = `step ${step}, ${JSON.stringify([limits, commands])}`;
    for (const [short, long] of [
      await bothWays(commands, clock()),
      writtenBy(await monitor.take()),
    ])
      expect(short, where).toEqual(long);
    if (random() < 0.5) clock.advance(MS * Math.floor(random() * 4));
  }
});

test("never more shares of a key than are kept", async () => {
  const plan = planFor("it", { kind: "token bucket", rate: 9000, period: 1000, share: 5000 });
  const draw = (id: number): Command => ({
    verb: "draw",
    budgets: [{ plan, key: "k", count: 0, reserve: false }],
    draw: { id, want: 1, left: [], back: [] },
  });
  const clock = manualClock();
  for (let first = 1; first < 300; first += 90) {
    const commands = Array.from({ length: 90 }, (_, index) => draw(first + index));
    const [short, long] = await bothWays(commands, clock());
    expect(short).toEqual(long);
  }
});
