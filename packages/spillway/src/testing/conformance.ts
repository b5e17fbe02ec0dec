/** The conformance suite of stores, as a list of cases for any test runner. */
import { RateLimiter } from "../limiter/index.ts";
import type { Limits, Store, Timing } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { clockLaws } from "./clock-laws.ts";
import { compareLeases } from "./compare-leases.ts";
import { compareRates } from "./compare-rates.ts";
import { compareTurns } from "./compare-turns.ts";
import { definitionLaws } from "./definition-laws.ts";
import { EXCEPTION_LIMITS, exceptionLaws } from "./exception-laws.ts";
import { expectParts } from "./expect.ts";
import { LEASE_LIMITS, leaseLaws } from "./lease-laws.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { OVERRIDE_LIMITS, overrideLaws } from "./override-laws.ts";
import { penaltyLaws } from "./penalty-laws.ts";
import { rateLaws } from "./rate-laws.ts";
import { RATE_LIMITS } from "./rate-limits.ts";
import { sizeLaws } from "./size-laws.ts";
import { vectors } from "./vectors.ts";

type Laws = { readonly [name: string]: CaseBody };

/** The cases that are written out, with the limits that they use. */
const LAWS: readonly { readonly prefix: string; readonly limits: Limits; readonly laws: Laws }[] = [
  { prefix: "", limits: RATE_LIMITS, laws: { ...rateLaws, ...clockLaws, ...sizeLaws } },
  { prefix: "concurrency: ", limits: LEASE_LIMITS, laws: leaseLaws },
  { prefix: "definitions: ", limits: {}, laws: definitionLaws },
  { prefix: "overrides: ", limits: OVERRIDE_LIMITS, laws: overrideLaws },
  { prefix: "penalties: ", limits: {}, laws: penaltyLaws },
  { prefix: "exceptions: ", limits: EXCEPTION_LIMITS, laws: exceptionLaws },
];

/**
 * One case: its name, and the function to run. The function throws or rejects if the store fails.
 */
export type ConformanceCase = { readonly name: string; readonly run: () => Promise<void> };

/**
 * Opens an empty store that uses the given clock. It is disposed after its case if it is
 * `AsyncDisposable`.
 */
export type OpenStore = (clock: ManualClock) => Store<Timing> | Promise<Store<Timing>>;

/**
 * Returns the conformance suite for a store. Run its cases in your own test runner.
 *
 * @param open Opens an empty store. Called once for each case.
 * @param options.seeds The number of seeds. Each one gives three random comparisons with a memory
 * store. Default: 20.
 * @param options.firstSeed The first seed; each further seed is one higher. Default: 0.
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
    ...LAWS.flatMap(({ prefix, limits, laws }) =>
      Object.entries(laws).map(([name, body]) => ({
        name: `${prefix}${name}`,
        run: on(limits, body),
      })),
    ),
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

/** Returns a case that compares a store with a memory store under the same clock. */
function comparing(comparison: typeof compareRates, open: OpenStore, seed: number) {
  return async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = closing(store);
    await comparison({ store, ours: memoryStore({ clock }), clock, seed });
  };
}

/** Closes a store at the end of its case, if it can be disposed. */
function closing(store: Store<Timing>): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
    },
  };
}
