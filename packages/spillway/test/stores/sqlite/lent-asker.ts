/**
 * A process that asks as fast as it can, of a limit of which units are lent: see `lent-processes.test.ts`.
 *
 * It says `r` when it is ready, begins when it is told anything, ends when its input does, and says when each call that was admitted began
 * and ended, before it asks again. What it has said is true even if it is killed.
 */
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { drivers } from "./drivers.ts";
import type { LentErrand } from "./lent-errand.ts";

const { path, limit }: LentErrand = JSON.parse(process.argv[2] ?? "");

/** Asks in a turn. */
const TURN = 64;

const store = sqliteStore(drivers["node:sqlite"](path), { busyTimeout: 60_000, warn: () => {} });
const limiter = new RateLimiter({ it: limit }, { store });

function turn(): boolean {
  for (let ask = 0; ask < TURN; ask++) {
    const began = Date.now();
    const { ok, degraded } = limiter.limit("it", { key: "all" });
    const ended = Date.now();
    if (degraded) throw new Error("answered without the store");
    if (!ok) return false;
    writeSync(1, `${began} ${ended}\n`);
  }
  return true;
}

let isOver = false;
process.stdin.once("end", () => {
  isOver = true;
});
process.stdin.once("data", async () => {
  while (!isOver) if (!turn()) await pause(1);
  limiter.giveBack();
  process.exit();
});
writeSync(1, "r\n");
