/** What every store has to do, as a list of cases for any test runner. */
import { RateLimiter } from "../limiter/index.ts";
import type { Limits, Mode, Store } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { clockLaws } from "./clock-laws.ts";
import { compareLeases } from "./compare-leases.ts";
import { compareRates } from "./compare-rates.ts";
import { compareTurns } from "./compare-turns.ts";
import { definitionLaws } from "./definition-laws.ts";
import { expectParts } from "./expect.ts";
import { LEASE_LIMITS, leaseLaws } from "./lease-laws.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { rateLaws } from "./rate-laws.ts";
import { RATE_LIMITS } from "./rate-limits.ts";
import { sizeLaws } from "./size-laws.ts";
import { vectors } from "./vectors.ts";

/** One case: a name, and what to run; it throws or rejects where the store fails. */
export type ConformanceCase = { readonly name: string; readonly run: () => Promise<void> };

/** Opens an empty store that takes its time from the clock given; closed if it is `AsyncDisposable`. */
export type OpenStore = (clock: ManualClock) => Store<Mode> | Promise<Store<Mode>>;

/**
 * The suite that a store's author runs in their own test runner.
 *
 * @param open Opens an empty store; called once a case.
 * @param options.seeds How many random runs beside a memory store. Default: 20.
 * @param options.firstSeed The seed of the first of them; each further one has the next. Default: 0.
 * @example
 * for (const { name, run } of conformance((clock) => myStore({ clock }))) test(name, run);
 */
export function conformance(
  open: OpenStore,
  { seeds = 20, firstSeed = 0 }: { readonly seeds?: number; readonly firstSeed?: number } = {},
): readonly ConformanceCase[] {
  const on = (limits: Limits, body: CaseBody) => async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = closing(store);
    await body(new RateLimiter(limits, { store, warn: () => {} }), clock, store);
  };
  return [
    ...vectors.map(({ name, limit, rows }) => ({
      name: `answers as worked out by hand: ${name}`,
      run: on({ it: limit }, (limiter, clock) => follow(limiter, clock, rows)),
    })),
    ...Object.entries({ ...rateLaws, ...clockLaws, ...sizeLaws }).map(([name, body]) => ({
      name,
      run: on(RATE_LIMITS, body),
    })),
    ...Object.entries(leaseLaws).map(([name, body]) => ({
      name: `concurrency: ${name}`,
      run: on(LEASE_LIMITS, body),
    })),
    ...Object.entries(definitionLaws).map(([name, body]) => ({
      name: `definitions: ${name}`,
      run: on({}, body),
    })),
    ...Array.from({ length: seeds }, (_, index) => firstSeed + index).flatMap((seed) => [
      {
        name: `answers as a memory store does, seed ${seed}`,
        run: comparing(compareRates, open, seed),
      },
      {
        name: `lends as a memory store does, seed ${seed}`,
        run: comparing(compareLeases, open, seed),
      },
      {
        name: `answers as a memory store does while definitions take turns, seed ${seed}`,
        run: comparing(compareTurns, open, seed),
      },
    ]),
  ];
}

async function follow(
  limiter: TestedLimiter,
  clock: ManualClock,
  rows: (typeof vectors)[0]["rows"],
) {
  const start = clock();
  for (const { at, count = 1, reserve = false, ...answer } of rows) {
    clock.set(start + at);
    const where = `at ${at}, count ${count}`;
    expectParts(await limiter.check("it", { key: "k", count, reserve }), answer, `check ${where}`);
    expectParts(await limiter.limit("it", { key: "k", count, reserve }), answer, `limit ${where}`);
  }
}

/** Runs a comparison of a store with one in memory, by the same clock. */
function comparing(comparison: typeof compareRates, open: OpenStore, seed: number) {
  return async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = closing(store);
    await comparison({ store, ours: memoryStore({ clock }), clock, seed });
  };
}

/** Closes a store that holds a connection when its case is over. */
function closing(store: Store<Mode>): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
    },
  };
}
