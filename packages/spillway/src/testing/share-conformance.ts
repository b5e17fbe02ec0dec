/** The conformance suite of stores that lend units, as a list of cases for any test runner. */
import { planFor } from "../limits/algorithms/index.ts";
import type { Budget, Drawn, Limit, Store, Timing } from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { asking } from "./asking.ts";
import { compareHolders } from "./compare-holders.ts";
import { compareShares, withoutShare } from "./compare-shares.ts";
import { type ConformanceCase, conformance, type OpenStore } from "./conformance.ts";
import { expectEqual } from "./expect.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { type DrawRow, type DrawVector, sharesOf, shareVectors } from "./share-vectors.ts";
import { withShares } from "./with-shares.ts";

/**
 * Returns the suite for a store that carries out `draw`. Run it in addition to `conformance`.
 *
 * @param open Opens an empty store. Called once for each case.
 * @param options.seeds The number of seeds. Each one gives two random comparisons with a memory
 * store. Default: 20.
 * @param options.firstSeed The first seed; each further seed is one higher. Default: 0.
 */
export function shareConformance(
  open: OpenStore,
  { seeds = 20, firstSeed = 0 }: { readonly seeds?: number; readonly firstSeed?: number } = {},
): readonly ConformanceCase[] {
  const closed = async (clock: ManualClock) => {
    const store = await open(clock);
    // The cases send all draws themselves, so the store's own lending is ended first.
    await store.lending?.giveBack();
    return store;
  };
  const on = (body: (store: Store<Timing>, clock: ManualClock) => Promise<void>) => async () => {
    const clock = manualClock();
    const store = await closed(clock);
    await using _closing = { [Symbol.asyncDispose]: () => close(store) };
    await body(store, clock);
  };
  const compare = (comparison: typeof compareShares, seed: number) =>
    on((store, clock) => comparison({ store, clock, seed, ours: memoryStore({ clock }) }));
  return [
    ...shareVectors.flatMap((vector) => [
      {
        name: `shares: answers as worked out by hand: ${vector.name}`,
        run: on((store, clock) => follow(store, clock, vector)),
      },
      {
        name: `shares: answers as worked out by hand, in one turn: ${vector.name}`,
        run: on((store, clock) => followTogether(store, clock, vector)),
      },
    ]),
    ...ordinaryLaws(async (clock) => withShares(await closed(clock))),
    ...Array.from({ length: seeds }, (_, index) => firstSeed + index).flatMap((seed) => [
      {
        name: `shares: answers as a memory store does, seed ${seed}`,
        run: compare(compareShares, seed),
      },
      {
        name: `shares: processes decide as over a memory store, seed ${seed}`,
        run: compare(compareHolders, seed),
      },
    ]),
  ];
}

/** Returns the ordinary cases, for limits whose units could be lent but are not. */
function ordinaryLaws(open: OpenStore): readonly ConformanceCase[] {
  return conformance(open, { seeds: 0 })
    .filter(({ name }) => !name.startsWith("concurrency:"))
    .map(({ name, run }) => ({ name: `shares: ${name}`, run }));
}

async function close(store: Store<Timing>): Promise<void> {
  await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
}

/** Sends the draws of a vector one after the other. */
async function follow(store: Store<Timing>, clock: ManualClock, { limit, rows }: DrawVector) {
  const start = clock();
  for (const row of rows) {
    clock.set(start + row.at);
    await settle(store, limit, row);
    await expectRow(store, limit, row);
  }
}

/**
 * Sends consecutive draws of one instant and one definition together. A store may carry them out in
 * one request.
 */
async function followTogether(
  store: Store<Timing>,
  clock: ManualClock,
  { limit, rows }: DrawVector,
) {
  const start = clock();
  const turns: DrawRow[][] = [];
  for (const row of rows) {
    const last = turns.at(-1)?.[0];
    if (last?.at === row.at && last.isUnlent === row.isUnlent) turns.at(-1)?.push(row);
    else turns.push([row]);
  }
  for (const turn of turns) {
    clock.set(start + (turn[0] as DrawRow).at);
    const calls = (row: DrawRow) => [settle(store, limit, row), expectRow(store, limit, row)];
    await Promise.all(turn.flatMap(calls));
  }
}

async function settle(store: Store<Timing>, limit: Limit, row: DrawRow): Promise<void> {
  if (row.settle !== undefined) await asking(store).settle(budgetOf(limit, row), row.settle);
}

async function expectRow(store: Store<Timing>, limit: Limit, row: DrawRow): Promise<void> {
  const { at, id, count = 0, want = 0 } = row;
  const drawing = { id, want, left: sharesOf(row.left), back: sharesOf(row.back) };
  const ask = { ...budgetOf(limit, row), count, reserve: false };
  expectEqual(said(await asking(store).draw(ask, drawing)), answerOf(row), `at ${at}, draw ${id}`);
}

function budgetOf(limit: Limit, { isUnlent }: DrawRow): Budget {
  return { plan: planFor("it", isUnlent ? withoutShare(limit) : limit), key: "k" };
}

function said({ decision, lent }: Drawn) {
  const { ok, remaining, retryAfter, resetAfter } = decision;
  return { ok, remaining, retryAfter, resetAfter, ...lent };
}

function answerOf({ ok, remaining, retryAfter, resetAfter, units, lasts, unlisted }: DrawRow) {
  return { ok, remaining, retryAfter, resetAfter, units, lasts, unlisted };
}
