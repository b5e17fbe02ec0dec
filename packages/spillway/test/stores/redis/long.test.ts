/** Long logs and many leases: the same answers as in memory, from a bounded number of small reads. */
import type { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type {
  Command,
  Limit,
  Plan,
  StateSnapshot,
  Store,
  Timing,
} from "../../../src/limits/core/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { type ManualClock, manualClock, seededRandom } from "../../../src/testing/index.ts";
import { monitored, ownRedis } from "./own-redis.ts";

const MANY = 10_000;
const HOUR = 3_600_000;
const key = "k";

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

type Both = {
  readonly clock: ManualClock;
  readonly far: Store<Timing>;
  readonly near: Store<Timing>;
};

/** A store on Redis and one in memory, by one clock. */
function open(): Both {
  const clock = manualClock();
  const far = redisStore(client, { clock, prefix: "p", deadline: 10_000 });
  return { clock, far, near: memoryStore({ clock }) };
}

const whole = (random: () => number, most: number) => Math.floor(random() * (most + 1));

/** Asks both stores the same in one turn, and expects the same of both. */
async function expectSame({ far, near }: Both, commands: readonly Command[], where: string) {
  const answers = await Promise.all(commands.map((command) => far.execute(command)));
  expect(answers, where).toEqual(commands.map((command) => near.execute(command)));
}

let ids = 0;

function asking(verb: "limit" | "check", plan: Plan, count: number, headroom = 0): Command {
  const lease = plan.kind === "concurrency" ? { id: ++ids, headroom } : undefined;
  return { verb, budgets: [{ plan, key, count, reserve: false, lease }] };
}

/** Takes units one by one, each an instant of its own; leases a hundred at an instant. */
async function fill(both: Both, plan: Plan, many = MANY): Promise<void> {
  const together = plan.kind === "concurrency" ? 100 : 1;
  for (let taken = 0; taken < many; taken += together) {
    const commands = Array.from({ length: together }, (_, n) => asking("limit", plan, 1 + (n % 3)));
    const answers = commands.map((command) => both.far.execute(command));
    for (const command of commands) both.near.execute(command);
    await Promise.all(answers);
    both.clock.advance(together === 1 ? 1 : 50);
  }
}

/** Definitions of a limit that hold what `fill` takes; under the second one time is shorter. */
const DEFINITIONS: Readonly<Record<string, readonly [Limit, Limit]>> = {
  "sliding log": [
    { kind: "sliding log", rate: 25_000, period: 20_000 },
    { kind: "sliding log", rate: 30_000, period: 15_000 },
  ],
  concurrency: [
    { kind: "concurrency", capacity: 25_000, ttl: 20_000 },
    { kind: "concurrency", capacity: 30_000, ttl: 15_000 },
  ],
};

/** All that a list holds; leases of one instant are in no order. */
function entriesOf(snapshots: readonly StateSnapshot[]): readonly unknown[] {
  const { log, leases } = (snapshots[0] as StateSnapshot).state;
  if (leases !== undefined) return [...leases].sort((one, other) => one.id - other.id);
  return Array.from({ length: log?.length ?? 0 }, (_, n) => [log?.instant(n), log?.units(n)]);
}

describe.each(Object.entries(DEFINITIONS))("ten thousand entries of a %s", (_, definitions) => {
  const plans = definitions.map((limit) => planFor("it", limit)) as [Plan, Plan];

  /** A call of any kind, mostly a large one. */
  function sample(random: () => number, plan: Plan): Command {
    const budgets = [{ plan, key }] as const;
    const count = whole(random, random() < 0.3 ? 20 : 20_000);
    const lease = { id: 1 + whole(random, ids), count: 1 + whole(random, 2) };
    const settlement = { reserved: count, used: whole(random, count) };
    const rare = whole(random, 15);
    const calls: readonly Command[] = [
      asking("check", plan, count, whole(random, 1) * whole(random, 5000)),
      asking("limit", plan, random() < 0.5 ? count : 1),
      asking("limit", plan, 1 + whole(random, 3)),
      { verb: "value", budgets },
      plan.kind === "concurrency"
        ? { verb: rare < 6 ? "renew" : "release", budgets, lease }
        : { verb: "settle", budgets, settlement },
      rare === 0 ? { verb: "block", budgets, ms: 500 } : { verb: "value", budgets },
      rare === 1 ? { verb: "unblock", budgets } : asking("check", plan, count),
    ];
    return calls[whole(random, calls.length - 1)] as Command;
  }

  test.each([1, 2, 3])(
    "answer as in memory, seed %d",
    async (seed) => {
      const random = seededRandom(seed);
      const both = open();
      await fill(both, plans[0]);
      for (let turn = 0; turn < 120; turn++) {
        // Definitions take turns now and then, as in a deploy.
        const plan = plans[turn % 20 > 15 ? 1 : 0] as Plan;
        const commands = Array.from({ length: 1 + whole(random, 5) }, () => sample(random, plan));
        await expectSame(both, commands, `seed ${seed}, turn ${turn}, ${JSON.stringify(commands)}`);
        both.clock.advance(whole(random, random() < 0.1 ? 3000 : 100));
        if (turn % 25 === 24) both.clock.advance(-whole(random, 400));
        if (turn === 90) both.clock.advance(-40_000);
      }
    },
    120_000,
  );

  test("are peeked at as a whole", async () => {
    const both = open();
    await fill(both, plans[0], 500);
    const peek = { verb: "peek", budgets: [{ plan: plans[0], key }] } as const;
    expect(entriesOf(await both.far.execute(peek))).toEqual(
      entriesOf(await both.near.execute(peek)),
    );
  });
});

/** Whether a script carried it out. */
function isOfScript([name = ""]: readonly string[]): boolean {
  return !/^(evalsha|echo)$/i.test(name);
}

/** Whether a command reads or writes no more than one page or a few members, however much a key holds. */
function isSmall([name = "", ...rest]: readonly string[]): boolean {
  if (/^(LRANGE|ZRANGE)$/i.test(name)) return rest[1] === "0" && rest[2] === "0";
  if (/^ZRANGEBYSCORE$/i.test(name)) return rest.includes("LIMIT");
  return rest.every((text) => text.length < 2000) && rest.length < 200;
}

describe.each([
  { kind: "sliding log", rate: 30_000, period: HOUR },
  { kind: "concurrency", capacity: 30_000, ttl: HOUR },
] as const satisfies readonly Limit[])("what a call reads of a $kind", (limit) => {
  const plan = planFor("it", limit);
  const budgets = [{ plan, key }] as const;
  const isLog = plan.kind === "sliding log";
  const calls: Readonly<Record<string, () => Command>> = {
    "a refusal of half": () => asking("limit", plan, 25_000),
    "a check of half": () => asking("check", plan, 25_000),
    "a unit": () => asking("limit", plan, 1),
    "a value": () => ({ verb: "value", budgets }),
    "a block": () => ({ verb: "block", budgets, ms: 1 }),
    ...(isLog
      ? {
          "a settlement of a quarter": () => ({
            verb: "settle",
            budgets,
            settlement: { reserved: 2500, used: 0 },
          }),
        }
      : {
          "a release": () => ({ verb: "release", budgets, lease: { id: ids - 5000, count: 1 } }),
          "a renewal": () => ({ verb: "renew", budgets, lease: { id: ids - 4999, count: 1 } }),
        }),
    "all being over": () => asking("limit", plan, 1),
  };

  test("is little, however much there is", async () => {
    const both = open();
    await fill(both, plan);
    await using commands = await monitored(client);
    for (const [name, call] of Object.entries(calls)) {
      if (name === "all being over") both.clock.advance(HOUR);
      await commands.take();
      await both.far.execute(call());
      const made = (await commands.take()).filter(isOfScript);
      // A bisection of ten thousand entries, or of an hour in milliseconds for each of two sizes of leases.
      expect(made.length, name).toBeLessThan(isLog ? 30 : 70);
      expect(
        made.filter((command) => !isSmall(command)),
        name,
      ).toEqual([]);
    }
  });
});

test("leases that nobody releases are dropped as fast as others are taken", async () => {
  const { clock, far } = open();
  const plan = planFor("it", { kind: "concurrency", capacity: 100_000, ttl: 1000 });
  for (let turn = 0; turn < 50; turn++) {
    const commands = Array.from({ length: 100 }, () => asking("limit", plan, 7));
    await Promise.all(commands.map((command) => far.execute(command)));
    clock.advance(100);
  }
  const [apart] = await client.keys("*+*");
  // Three members a lease, of the ten turns in flight and of one that is over.
  expect(await client.zcard(apart as string)).toBeLessThanOrEqual(11 * 300);
});
