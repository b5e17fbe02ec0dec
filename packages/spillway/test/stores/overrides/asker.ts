/**
 * A process that asks for one key until it is told that nothing more will be said.
 *
 * It says `r` when it is ready and begins when it is told anything. Of each decision it says what
 * is left of which capacity.
 */
import { writeSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { open, type Place } from "../leases/places.ts";
import { LIMIT } from "./definitions.ts";

const place: Place = JSON.parse(process.argv[2] ?? "");
const { store, close } = open(place);
const limiter = new RateLimiter({ api: LIMIT }, { store });
let isOver = false;

async function ask(): Promise<void> {
  const { capacity, remaining, resetAfter, overridden, degraded } = await limiter.limit("api", {
    key: "customer",
  });
  if (degraded) throw new Error(`no decision of the store: ${degraded}`);
  writeSync(1, `${capacity} ${remaining} ${resetAfter} ${overridden ?? false}\n`);
}

process.stdin.once("end", () => {
  isOver = true;
});
process.stdin.once("data", async () => {
  for (; !isOver; await turn()) await Promise.all([ask(), ask(), ask()]);
  await close();
  process.exit();
});
writeSync(1, "r\n");
