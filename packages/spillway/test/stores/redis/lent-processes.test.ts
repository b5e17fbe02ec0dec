/** Processes that hold units of one server keep law 1 to the unit, killed, suspended, and after a flush. */
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import type { Limit } from "../../../src/core/index.ts";
import { runs } from "../../runs.ts";
import { beginTogether } from "../child.ts";
import { excess, LentAsker } from "../lent-askers.ts";
import type { LentErrand } from "./lent-errand.ts";
import { ownRedis } from "./own-redis.ts";

const LIMIT = {
  kind: "token bucket",
  rate: 400,
  period: 1000,
  capacity: 200,
  share: 400,
} as const satisfies Limit;
const PROGRAM = new URL("./lent-asker.ts", import.meta.url);

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

async function askers(): Promise<readonly LentAsker[]> {
  const port = client.options.port as number;
  const errand: LentErrand = { port, limit: LIMIT, forMs: runs(2000) };
  return beginTogether([0, 1, 2, 3].map(() => new LentAsker(PROGRAM, errand)));
}

function excessOf(all: readonly LentAsker[]): number {
  for (const { admitted } of all) expect(admitted.length).toBeGreaterThan(0);
  return excess(
    all.flatMap(({ admitted }) => admitted),
    LIMIT,
  );
}

test("four processes, one killed and one suspended for longer than it may hold, are never over", async () => {
  const all = (await askers()) as [LentAsker, LentAsker, ...LentAsker[]];
  const [killed, suspended, ...others] = all;
  await killed.killWhen(() => killed.admitted.length > 30);
  await suspended.suspendFor(3 * LIMIT.share, pause);
  await Promise.all([suspended, ...others].map((asker) => asker.done()));
  expect(excessOf(all)).toBeLessThanOrEqual(0);
});

test("after a flush, processes are over by no more than what it forgot and what was lent", async () => {
  const all = await askers();
  const [first] = all as [LentAsker];
  await first.until(() => first.admitted.length > 30);
  await client.flushall();
  await Promise.all(all.map((asker) => asker.done()));
  expect(excessOf(all)).toBeLessThanOrEqual(LIMIT.capacity + LIMIT.capacity / 2);
});
