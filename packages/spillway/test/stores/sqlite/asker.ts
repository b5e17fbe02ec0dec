/**
 * A process that asks as fast as it can, until it is refused or killed: see `askers.ts`.
 *
 * It says `r` when it is ready, begins when it is told anything, and says `.` for each admission and
 * `x` for each refusal before it asks again. What it has said is true even if it is killed.
 */
import { writeSync } from "node:fs";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import type { Errand } from "./askers.ts";
import { drivers } from "./drivers.ts";

const { path, driver, limits, until, within }: Errand = JSON.parse(process.argv[2] ?? "");

/** A machine that is busy is no outage. */
const PATIENT = 60_000;

const database = drivers[driver](path);
const store = sqliteStore(database, { busyTimeout: PATIENT });
const limiter = new RateLimiter(limits, { store });
const asks = Object.keys(limits).map((limit) => ({ limit, key: "all" }));

/** Asks in a transaction of its own, as somebody does who writes other rows as well. */
function askWithin() {
  database.exec("begin");
  const decision = limiter.within(database).limitAll(asks);
  database.exec("commit");
  return decision;
}

process.stdin.once("data", () => {
  for (;;) {
    const { ok, degraded } = within ? askWithin() : limiter.limitAll(asks);
    if (degraded) throw new Error("answered without the store");
    writeSync(1, ok ? "." : "x");
    if (!ok && until === "refused") process.exit();
  }
});
writeSync(1, "r");
