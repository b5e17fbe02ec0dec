/**
 * A process with many calls in flight, of a limit of which units are lent: see `lent-processes.test.ts`.
 *
 * It says `r` when it is ready, begins when it is told anything, ends when its input does, and says when each call
 * that was admitted began and ended, before it asks again. What it has said is true even if it is killed.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { until } from "../../servers/until.ts";
import { openClient } from "./faults/clients/connections.ts";
import type { LentErrand } from "./lent-errand.ts";

const { client, limit, key = "all" }: LentErrand = JSON.parse(process.argv[2] ?? "");

const CALLERS = 64;

const opened = await openClient(client);
const store = opened.store({ deadline: 1000 });
const limiter = new RateLimiter({ it: limit }, { store });

let isOver = false;

async function caller(): Promise<void> {
  while (!isOver) {
    const began = Date.now();
    const { ok } = await limiter.limit("it", { key }).catch(() => ({ ok: false }));
    if (ok) writeSync(1, `${began} ${Date.now()}\n`);
    else await pause(5);
  }
}

await opened.connect();
await until(async () => (await limiter.value("it", { key })).capacity > 0, {
  what: "the store answers",
});
process.stdin.once("end", () => {
  isOver = true;
});
process.stdin.once("data", async () => {
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await limiter.giveBack();
  process.exit();
});
writeSync(1, "r\n");
