/**
 * A process of a region, with many calls in flight: see `processes.test.ts`.
 *
 * It says `r` when it is ready, begins when it is told anything, ends when its input does, and says when each call that was admitted began
 * and ended, before it asks again.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { regionStore } from "../../../src/stores/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { ONCE } from "../redis/clients.ts";
import type { RegionErrand } from "./errand.ts";

const errand: RegionErrand = JSON.parse(process.argv[2] ?? "");
const { here, ports, limit, hold, callers, pauseMs } = errand;

/** Waits between calls of callers that were refused, in milliseconds. */
const REFUSED = 5;
const FAR = { deadline: 400, breaker: { failures: 1000, pause: 100 } };
const NEAR = { deadline: 10_000 };

const regions = Object.entries(ports).map(([name, port]) => {
  const client = new Redis(port, ONCE);
  client.on("error", () => {});
  const store = redisStore(client, { ...(name === here ? NEAR : FAR), warn: () => {} });
  return { name, client, region: { store, part: 1 } };
});
const store = regionStore({
  here,
  regions: Object.fromEntries(regions.map(({ name, region }) => [name, region])),
  hold,
});
const limiter = new RateLimiter({ it: limit }, { store });

let isOver = false;

async function caller(): Promise<void> {
  while (!isOver) {
    const began = Date.now();
    const { ok } = await limiter.limit("it", { key: "all" });
    if (ok) writeSync(1, `${began} ${Date.now()}\n`);
    await pause(ok ? pauseMs : Math.max(pauseMs, REFUSED));
  }
}

await Promise.all(regions.map(({ client }) => client.ping()));
process.stdin.once("end", () => {
  isOver = true;
});
process.stdin.once("data", async () => {
  await Promise.all(Array.from({ length: callers }, caller));
  await limiter.giveBack();
  process.exit();
});
writeSync(1, "r\n");
