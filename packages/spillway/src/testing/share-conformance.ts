/** What a store has to do that lends, as a list of cases for any test runner. */
import { planFor } from "../algorithms/index.ts";
import type { Drawn, Mode, Store } from "../core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { asking } from "./asking.ts";
import type { Comparison } from "./cases.ts";
import { compareShares } from "./compare-shares.ts";
import type { ConformanceCase, OpenStore } from "./conformance.ts";
import { expectEqual } from "./expect.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { type DrawRow, type DrawVector, sharesOf, shareVectors } from "./share-vectors.ts";

/**
 * The suite beside `conformance` for a store that carries out `draw`.
 *
 * @param open Opens an empty store; called once a case.
 * @param options.seeds How many random runs beside a memory store. Default: 20.
 * @param options.firstSeed The seed of the first of them; each further one has the next. Default: 0.
 */
export function shareConformance(
  open: OpenStore,
  { seeds = 20, firstSeed = 0 }: { readonly seeds?: number; readonly firstSeed?: number } = {},
): readonly ConformanceCase[] {
  const on = (body: (store: Store<Mode>, clock: ManualClock) => Promise<void>) => async () => {
    const clock = manualClock();
    const store = await open(clock);
    await using _closing = { [Symbol.asyncDispose]: () => closed(store) };
    // What is lent is asked for here, and by nobody in between.
    await store.lending?.giveBack();
    await body(store, clock);
  };
  const compare = (seed: number) =>
    on((store, clock) =>
      compareShares({ store, clock, seed, ours: memoryStore({ clock }) } satisfies Comparison),
    );
  return [
    ...shareVectors.map((vector) => ({
      name: `shares: answers as worked out by hand: ${vector.name}`,
      run: on((store, clock) => follow(store, clock, vector)),
    })),
    ...Array.from({ length: seeds }, (_, index) => firstSeed + index).map((seed) => ({
      name: `shares: answers as a memory store does, seed ${seed}`,
      run: compare(seed),
    })),
  ];
}

async function closed(store: Store<Mode>): Promise<void> {
  await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
}

async function follow(store: Store<Mode>, clock: ManualClock, { limit, rows }: DrawVector) {
  const start = clock();
  const budget = { plan: planFor("it", limit), key: "k" };
  for (const row of rows) {
    clock.set(start + row.at);
    const { id, count = 0, want = 0 } = row;
    const drawing = { id, want, left: sharesOf(row.left), back: sharesOf(row.back) };
    const drawn = await asking(store).draw({ ...budget, count, reserve: false }, drawing);
    expectEqual(said(drawn), answerOf(row), `at ${row.at}, draw ${id}`);
  }
}

function said({ decision, lent }: Drawn) {
  const { ok, remaining, retryAfter, resetAfter } = decision;
  return { ok, remaining, retryAfter, resetAfter, ...lent };
}

function answerOf({ ok, remaining, retryAfter, resetAfter, units, lasts, unlisted }: DrawRow) {
  return { ok, remaining, retryAfter, resetAfter, units, lasts, unlisted };
}
