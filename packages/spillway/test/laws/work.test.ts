/** What strangers choose, such as counts, keys and names, never makes a call long: what runs is counted. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { DAY, type Limits, RateLimiter } from "../../src/index.ts";
import { MOST_UNITS } from "../../src/limits/core/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { stepCounter } from "./steps.ts";

const stepsOf = stepCounter();

const [FEW, MANY] = [100, 20_000];
/** Now and then a page of the guard is written anew, which has 4096 entries. */
const MOST_FOR_KEY = 30_000;
const COUNTS = [0, 1, MANY / 2, MANY, MANY + 1, MOST_UNITS];

/** A log and leases of so many entries, all of one key. */
function filled(entries: number) {
  const clock = manualClock();
  const limits = {
    log: { kind: "sliding log", rate: entries, period: DAY },
    lent: { kind: "concurrency", capacity: entries, ttl: DAY },
  } as const;
  const limiter = new RateLimiter(limits, { store: memoryStore({ clock }) });
  for (let taken = 0; taken < entries; taken++) {
    clock.advance(1);
    limiter.limit("log");
    limiter.acquire("lent");
  }
  return limiter;
}

describe("in memory", () => {
  const [short, long] = [filled(FEW), filled(MANY)];

  test.each(COUNTS)(
    "a count of %i costs no more on long lists than on short ones",
    async (count) => {
      for (const ask of [
        (limiter: typeof long) => limiter.limit("log", { count }),
        (limiter: typeof long) => limiter.check("lent", { count }),
        (limiter: typeof long) => limiter.acquire("lent", { count }),
        (limiter: typeof long) => limiter.value("log"),
      ]) {
        const [few, many] = [await stepsOf(() => ask(short)), await stepsOf(() => ask(long))];
        expect(few).toBeGreaterThan(0);
        // A binary search takes some more steps.
        expect(many).toBeLessThanOrEqual(few + 200);
      }
    },
  );

  test("a name that there isn't costs no more among ten thousand than among a hundred", async () => {
    const limitersOf = (count: number) => {
      const limit = { kind: "token bucket", rate: 1, period: DAY } as const;
      const limits: Limits = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`domain ${n}`, limit]),
      );
      return new RateLimiter(limits);
    };
    for (const name of ["domain x", "z".repeat(9), "x".repeat(64), "x".repeat(1_000_000), ""]) {
      for (const limiter of [limitersOf(100), limitersOf(10_000)]) {
        expect(await stepsOf(() => limiter.limit(name))).toBeLessThan(20_000);
      }
    }
  });

  test("a new key costs no more among many, be the store full or not", async () => {
    const limits = { it: { kind: "token bucket", rate: 1, period: DAY } } as const;
    for (const maxKeys of [MANY, 2 * MANY]) {
      const store = memoryStore({ maxKeys, clock: manualClock(), warn: () => {} });
      const limiter = new RateLimiter(limits, { store });
      for (let n = 0; n < MANY; n++) limiter.limit("it", { key: `${n}` });
      for (const key of ["new", "__proto__", "é".repeat(256)]) {
        expect(await stepsOf(() => limiter.limit("it", { key }))).toBeLessThan(MOST_FOR_KEY);
      }
    }
  });
});

describe("on SQLite", () => {
  /** A row is read as a whole, which is a step an entry; what is done with it must not grow. */
  test.each(COUNTS)("a count of %i costs a step an entry, and no more", async (count) => {
    const [few, many] = await Promise.all(
      [FEW, 2000].map(async (entries) => {
        const clock = manualClock();
        const limits = { log: { kind: "sliding log", rate: entries, period: DAY } } as const;
        const store = sqliteStore(new DatabaseSync(":memory:"), { clock });
        const limiter = new RateLimiter(limits, { store });
        for (let taken = 0; taken < entries; taken++) {
          clock.advance(1);
          limiter.limit("log");
        }
        return () => limiter.limit("log", { count });
      }),
    );
    const steps = [await stepsOf(few as () => unknown), await stepsOf(many as () => unknown)];
    expect(steps[1]).toBeLessThanOrEqual((steps[0] as number) + 2000 + 200);
  });
});
