/** Several processes on one file keep the laws, whatever becomes of some of them. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { DAY, type Limits, type Rate } from "../../../src/limits/core/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { KINDS } from "../../laws/arbitrary.ts";
import { type Errand, startAskers } from "./askers.ts";
import { column, connect, tempFolder } from "./drivers.ts";

const UNITS = 500;

/** So many units, of which none comes back while a test runs. */
function lasting(kind: Rate["kind"]): Rate {
  const period = 366 * DAY;
  if (kind === "sliding log") return { kind, rate: UNITS, period };
  if (kind === "sliding window") return { kind, rate: UNITS, period, start: Date.now() };
  if (kind === "fixed window") return { kind, rate: UNITS, period, start: Date.now() };
  return { kind, rate: 1, period, capacity: UNITS };
}

function errand(path: string, limits: Limits): Errand {
  return { path, limits, driver: "node:sqlite", until: "refused", within: false };
}

describe.each(KINDS)("under a %s", (kind) => {
  test("processes that ask at once are admitted as often as the limit allows", async () => {
    using folder = tempFolder();
    const path = folder.file("limits.db");
    const limits = { it: lasting(kind) };
    // The file is not there yet: they make it at the same time.
    const one = errand(path, limits);
    const other: Errand = { ...one, driver: "better-sqlite3" };
    const askers = await startAskers([one, other, { ...one, within: true }]);
    await Promise.all(askers.map((asker) => asker.done()));
    const counts = askers.map(({ admitted }) => admitted);
    expect(counts.reduce((sum, count) => sum + count)).toBe(UNITS);
  });
});

describe.each(KINDS)("where processes are killed under a %s", (kind) => {
  test("what they took is taken, no more and no less", async () => {
    using folder = tempFolder();
    const path = folder.file("limits.db");
    const limits = { one: lasting(kind), other: { ...lasting("sliding log"), rate: UNITS + 100 } };
    const survivor = errand(path, limits);
    const victim: Errand = { ...survivor, until: "killed" };
    const victims = [victim, { ...victim, driver: "better-sqlite3" }] as const;
    const [first, second, third] = await startAskers([...victims, survivor]);
    await first?.killAfter(20);
    await second?.killAfter(50);
    await third?.done();
    const told = [first, second, third].reduce((sum, asker) => sum + (asker?.admitted ?? 0), 0);
    // A killed one may have had no time to tell of its last admission.
    expect(UNITS - told).toBeGreaterThanOrEqual(0);
    expect(UNITS - told).toBeLessThanOrEqual(2);

    using database = connect(path);
    expect(column(database, "pragma integrity_check")).toEqual(["ok"]);
    const limiter = new RateLimiter(limits, { store: sqliteStore(database) });
    expect(limiter.value("one", { key: "all" }).remaining).toBe(0);
    expect(limiter.value("other", { key: "all" }).remaining).toBe(100);
  });
});

test("what is looked at together is of one instant", async () => {
  using folder = tempFolder();
  const path = folder.file("limits.db");
  const limits = { one: lasting("token bucket"), other: lasting("fixed window") };
  const [asker] = await startAskers([errand(path, limits)]);
  using database = connect(path);
  const limiter = new RateLimiter(limits, {
    store: sqliteStore(database, { busyTimeout: 60_000 }),
  });
  const both = [
    { limit: "one", key: "all" },
    { limit: "other", key: "all" },
  ] as const;
  let left = UNITS;
  while (left > 0) {
    const { decisions, remaining } = limiter.checkAll(both);
    expect(decisions.map((each) => each.remaining)).toEqual([remaining, remaining]);
    left = remaining;
    await turn();
  }
  await asker?.done();
});
