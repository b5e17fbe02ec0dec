import { describe, expect, test } from "vitest";
import type { Decision, MemoryStore, Store } from "../src/index.ts";
import type { Ask } from "../src/limits/core/index.ts";
import { memoryStore } from "../src/stores/memory/index.ts";
import { asking } from "../src/testing/asking.ts";
import { conformance, manualClock, seededRandom } from "../src/testing/index.ts";
import { type Altered, alter } from "./alter.ts";

describe("the conformance suite", () => {
  const cases = conformance((clock) => memoryStore({ clock }));

  test("has a name of its own for every case", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  type Broken = (store: ReturnType<typeof asking<"now">>) => Altered<"now">;
  const wrong: readonly [string, Broken][] = [
    ["admits one too many", (s) => ({ limit: (ask) => ({ ...s.limit(ask), ok: true }) })],
    ["waits too long", (s) => ({ limit: (ask) => later(s.limit(ask), "retryAfter") })],
    ["resets too late", (s) => ({ check: (ask) => later(s.check(ask), "resetAfter") })],
    ["charges for a check", (s) => ({ check: (ask) => s.limit(ask) })],
    [
      "charges one of two",
      (s) => ({ limitAll: (asks: readonly Ask[]) => asks.map((ask) => s.limit(ask)) }),
    ],
    ["charges for a joint check", (s) => ({ checkAll: (asks) => s.limitAll(asks) })],
    [
      "waits too long jointly",
      (s) => ({ limitAll: (asks) => s.limitAll(asks).map((d) => later(d, "retryAfter")) }),
    ],
    ["hides a debt", (s) => ({ value: (budget) => ({ ...s.value(budget), reserved: 0 }) })],
    ["settles nothing", (s) => ({ settle: (budget) => s.value(budget) })],
    ["unblocks on reset", (s) => ({ reset: (budget) => [s.unblock(budget), s.reset(budget)][1] })],
    [
      "resets on unblock",
      (s) => ({ unblock: (budget) => [s.reset(budget), s.unblock(budget)][1] }),
    ],
    [
      "keeps the longer block",
      (s) => ({ block: (budget, ms) => s.block(budget, Math.max(ms, s.value(budget).blockedFor)) }),
    ],
    ["frees nothing", (s) => ({ release: (budget, held) => s.renew(budget, held) })],
    [
      "says that it freed what is not there",
      (s) => ({
        release: (b, held) => {
          s.release(b, held);
          return true;
        },
      }),
    ],
    ["renews nothing", () => ({ renew: () => true })],
    [
      "tells nobody that a lease is over",
      (s) => ({ renew: (b, held) => s.renew(b, held) || true }),
    ],
    [
      "leaves nothing",
      (s) => ({
        limit: (ask) => s.limit(ask.lease ? { ...ask, lease: { ...ask.lease, headroom: 0 } } : ask),
      }),
    ],
    [
      "joins names and keys",
      (s) => ({
        limit: (ask) =>
          s.limit({
            ...ask,
            plan: { ...ask.plan, limit: "" },
            key: `${ask.plan.limit}:${ask.key}`,
          }),
      }),
    ],
  ];

  test.each(wrong)("finds a store that %s", async (_, broken) => {
    const cases = conformance((clock) => {
      const memory = memoryStore({ clock });
      return alter(plain(memory), broken(asking(memory)));
    });
    const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
  });

  test("is content with the same store unbroken", async () => {
    const cases = conformance((clock) => alter(plain(memoryStore({ clock })), {}));
    for (const { run } of cases) await run();
  });

  test("closes each store it opened", async () => {
    let open = 0;
    const cases = conformance((clock) => {
      open++;
      const close = async () => void open--;
      return Object.assign(memoryStore({ clock }), { [Symbol.asyncDispose]: close });
    });
    for (const { run } of cases) await run();
    expect(open).toBe(0);
  });
});

/** The store by its contract alone. */
function plain(store: MemoryStore): Store<"now"> {
  return { timing: "now", execute: (command) => store.execute(command) };
}

function later(decision: Decision, field: "retryAfter" | "resetAfter"): Decision {
  return decision[field] > 0 ? { ...decision, [field]: decision[field] + 1 } : decision;
}

test("a manual clock moves only when told", () => {
  const clock = manualClock(1000);
  clock.advance(5);
  expect(clock()).toBe(1005);
  clock.set(7);
  expect(clock()).toBe(7);
});

test("seeded chance repeats itself and fills the range", () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(Math.min(...draw(3))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...draw(3))).toBeLessThan(1);
  expect(Math.max(...draw(3)) - Math.min(...draw(3))).toBeGreaterThan(0.9);
});
