/**
 * A script call that reaches the server once more, whenever that is and whatever became of its answer. No unit is there
 * twice for it, and none is missing but those that it asks for: counted on the server after each of them.
 */
import { setImmediate as turn } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { planFor } from "../../../src/limits/algorithms/index.ts";
import type { Store } from "../../../src/limits/core/index.ts";
import type { IoRedisClient } from "../../../src/stores/redis/clients/ioredis.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { startRedis } from "../../servers/redis-node.ts";
import { ONCE } from "./clients.ts";

/** Nothing comes back while a test runs, and no share ends. */
const LIMIT = {
  kind: "token bucket",
  rate: 1,
  period: "366d",
  capacity: 1000,
  share: "1h",
} as const;
const PLAN = planFor("it", LIMIT);
/** Where it is in use as well, the script has another way for the same steps. */
const OTHER = planFor("it", { ...LIMIT, capacity: 2000 });
/** Units that an ask takes at most. */
const MOST = 3;
const STEPS = 120;

/** A client whose calls can be made again, and whose answers can be lost. */
function repeating(client: Redis) {
  const calls: (() => Promise<unknown>)[] = [];
  const faults = { isLost: false };
  const underWay = new Set<Promise<unknown>>();
  const made = async (call: () => Promise<unknown>) => {
    const { isLost } = faults;
    faults.isLost = false;
    calls.push(call);
    const answered = call();
    underWay.add(answered);
    const answer = await answered.finally(() => underWay.delete(answered));
    if (isLost) throw new Error("lost");
    return answer;
  };
  const over: IoRedisClient & Pick<Redis, "options"> = {
    status: "ready",
    options: client.options,
    evalsha: (...args) => made(() => client.evalsha(...args)),
    eval: (...args) => made(() => client.eval(...args)),
    connect: () => client.connect(),
    on: (_, listener) => client.on("error", listener),
  };
  /** What nobody waits for is sent by the end of the turn. */
  const quiet = async () => {
    do await turn();
    while (underWay.size > 0);
  };
  return { over, calls, faults, quiet };
}

/** Units of a key on the server: those that it has left, and those that are listed as lent. */
async function unitsOf(store: Store<"later">, key: string) {
  const budgets = [{ plan: PLAN, key }] as const;
  const { remaining } = await store.execute({ verb: "value", budgets });
  const [snapshot] = await store.execute({ verb: "peek", budgets });
  const lent = snapshot?.state.leases?.units ?? 0;
  return { lent, all: remaining + lent };
}

/** Three processes ask of one key, end, and lose answers, while calls are repeated at random. */
async function play(seed: number, client: Redis) {
  const random = seededRandom(seed);
  const pick = (most: number) => Math.floor(random() * most);
  const options = { prefix: `repeats-${seed}`, deadline: 10_000, warn: () => {} };
  const { over, calls, faults, quiet } = repeating(client);
  const [key, open] = ["k", () => redisStore(over, options)];
  const processes = [open(), open(), open()];
  const server = redisStore(client, options);
  const seen = { admitted: 0, eaten: 0, relent: 0, repeated: 0 };
  if (seed % 2 === 1) {
    const other = { plan: OTHER, key, count: 1, reserve: false };
    await server.execute({ verb: "limit", budgets: [other] });
    seen.eaten++;
  }

  const ask = async (store: Store<"later">) => {
    const count = 1 + pick(MOST);
    const [decision] = await store.execute({
      verb: "limit",
      budgets: [{ plan: PLAN, key, count, reserve: false }],
    });
    if (decision?.ok) seen.admitted += count;
    // It may have been charged.
    else if (decision?.degraded) seen.eaten += count;
  };
  /** A settlement says first what was used of each share, which may be repeated when less is left of it. */
  const report = (store: Store<"later">) => {
    const budgets = [{ plan: PLAN, key }] as const;
    return store.execute({ verb: "settle", budgets, settlement: { reserved: 1, used: 1 } });
  };
  const repeat = async () => {
    await quiet();
    const before = await unitsOf(server, key);
    await (calls[pick(calls.length)] as () => Promise<unknown>)();
    const after = await unitsOf(server, key);
    const missing = before.all - after.all;
    expect(missing, `seed ${seed}: units that are there twice`).toBeGreaterThanOrEqual(0);
    // What was lent by repeated calls is cut again by others: its holder knows nothing of it.
    expect(missing, `seed ${seed}: units lost`).toBeLessThanOrEqual(MOST + seen.relent);
    seen.eaten += missing;
    seen.relent += Math.max(0, after.lent - before.lent);
    seen.repeated++;
  };

  for (let step = 0; step < STEPS; step++) {
    const index = pick(processes.length);
    const store = processes[index] as Store<"later">;
    const what = random();
    if (what < 0.4 && calls.length > 0) await repeat();
    else if (what < 0.45) {
      await store.lending?.giveBack();
      processes[index] = open();
    } else {
      faults.isLost = what < 0.5;
      for (let asks = pick(12); asks > 0; asks--) await ask(store);
      faults.isLost = false;
      if (random() < 0.5) await report(store);
    }
  }
  faults.isLost = false;
  for (const store of processes) await store.lending?.giveBack();
  const { all } = await unitsOf(server, key);
  return { ...seen, left: all };
}

test("script calls that are repeated bring no unit twice, and lose none but those that they ask for", async () => {
  await using server = await startRedis();
  const client = new Redis(server.port, ONCE);
  try {
    let repeated = 0;
    for (let seed = 0; seed < runs(10); seed++) {
      const seen = await play(seed, client);
      const all = seen.admitted + seen.left;
      expect(all, `seed ${seed}: over`).toBeLessThanOrEqual(LIMIT.capacity);
      expect(all + seen.eaten + seen.relent, `seed ${seed}: lost`).toBeGreaterThanOrEqual(
        LIMIT.capacity,
      );
      repeated += seen.repeated;
    }
    expect(repeated).toBeGreaterThan(runs(200));
  } finally {
    client.disconnect();
  }
});
