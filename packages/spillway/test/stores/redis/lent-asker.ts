/**
 * A process with many calls in flight, of a limit of which units are lent: see `lent-processes.test.ts`.
 *
 * It says `r` when it is ready, begins when it is told anything, and says when each call that was admitted began
 * and ended, before it asks again. What it has said is true even if it is killed.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { ONCE } from "./clients.ts";
import type { LentErrand } from "./lent-errand.ts";

const { port, limit, forMs }: LentErrand = JSON.parse(process.argv[2] ?? "");

const CALLERS = 64;

const client = new Redis(port, ONCE);
const store = redisStore(client, { deadline: 10_000, warn: () => {} });
const limiter = new RateLimiter({ it: limit }, { store });

async function caller(end: number): Promise<void> {
  while (Date.now() < end) {
    const began = Date.now();
    const { ok } = await limiter.limit("it", { key: "all" });
    if (ok) writeSync(1, `${began} ${Date.now()}\n`);
    else await pause(5);
  }
}

await client.ping();
process.stdin.once("data", async () => {
  const end = Date.now() + forMs;
  await Promise.all(Array.from({ length: CALLERS }, () => caller(end)));
  await limiter.giveBack();
  process.exit();
});
writeSync(1, "r\n");
