/**
 * A process that is in flight again and again: see `holders.ts`.
 *
 * It says `r` when it is ready and begins when it is told anything. Of each time in flight it says
 * when that began, after it was let in, and when it ended, before it gave its lease back: in
 * nanoseconds of the machine's own clock, which is the same for all processes. One that meets others
 * says `in` once it is in flight for the first time, and stays so until it is told anything.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { RateLimiter } from "../../../src/limiter/index.ts";
import type { Errand } from "./holders.ts";
import { open } from "./places.ts";

const { place, limit, atOnce, times, meets }: Errand = JSON.parse(process.argv[2] ?? "");
const { store, close } = open(place);
const limiter = new RateLimiter({ reports: limit }, { store });

async function beInFlight(count: number, work: () => Promise<unknown>): Promise<void> {
  await using lease = await limiter.acquire("reports", { key: "all", count, wait: 120_000 });
  if (!lease.ok || lease.degraded) throw new Error(`not let in: ${lease.reason}`);
  const from = process.hrtime.bigint();
  await work();
  writeSync(1, `${from} ${process.hrtime.bigint()} ${count}\n`);
}

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}

async function meeting(): Promise<void> {
  const told = once(process.stdin, "data");
  writeSync(1, "in\n");
  await told;
}

async function again(worker: number): Promise<void> {
  for (let time = 0; time < times; time++) await beInFlight(1 + ((worker + time) % 2), someTurns);
}

process.stdin.once("data", async () => {
  if (meets) await beInFlight(1, meeting);
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => again(worker)));
  await close();
  process.exit();
});
writeSync(1, "r\n");
