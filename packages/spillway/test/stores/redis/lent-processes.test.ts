/** Processes that hold units of one server keep law 1 to the unit, killed, suspended, and after a flush. */
import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { runs } from "../../runs.ts";
import {
  admitMore,
  admittedBy,
  beginFour,
  endAll,
  excess,
  type Four,
  LIMIT,
} from "../lent-askers.ts";
import type { LentErrand } from "./lent-errand.ts";
import { ownRedis } from "./own-redis.ts";

/** Units that the limit gives in a second. */
const UNITS = runs(400);
const PROGRAM = new URL("./lent-asker.ts", import.meta.url);

let client: Redis;
ownRedis((opened) => {
  client = opened;
});

async function askers(): Promise<Four> {
  const port = client.options.port as number;
  const errand: LentErrand = {
    client: { make: "ioredis", target: { sort: "server", port } },
    limit: LIMIT,
  };
  return beginFour(PROGRAM, errand);
}

test("four processes, one killed and one suspended for longer than it may hold, are never over", async () => {
  const all = await askers();
  const [killed, suspended, ...others] = all;
  await killed.killWhen(() => killed.admitted.length > 30);
  await suspended.suspendFor(3 * LIMIT.share, pause);
  await admitMore([suspended, ...others], UNITS);
  await endAll([suspended, ...others]);
  expect(excess(admittedBy(all), LIMIT)).toBeLessThanOrEqual(0);
});

test("after a flush, processes are over by no more than what it forgot and what was lent", async () => {
  const all = await askers();
  const [first] = all;
  await first.until(() => first.admitted.length > 30);
  await client.flushall();
  await admitMore(all, UNITS);
  await endAll(all);
  expect(excess(admittedBy(all), LIMIT)).toBeLessThanOrEqual(LIMIT.capacity + LIMIT.capacity / 2);
});
