import { notify } from "../../internal/index.ts";
import type { Budget, Store } from "../../limits/core/index.ts";
import type { Readings } from "../lending/readings.ts";
import type { OnRegionEvent } from "./events.ts";
import type { IndexedRegion, RegionLayout } from "./region-layout.ts";

/**
 * The difference between clocks that is not reported, in milliseconds, in addition to the round
 * trips.
 */
const TOLERATED = 1000;
/** Milliseconds between two comparisons with one region. */
const COMPARE_EVERY = 600_000;

type ClockSettings = { readonly readings: Readings; readonly onEvent: OnRegionEvent | undefined };

/** The offset of a store's clock from a monotonic one, and its possible error. */
type Offset = { readonly ms: number; readonly error: number };

/** Compares the clocks of other regions' stores with that of the near one, in the background. */
export class RegionClocks {
  /** The milliseconds by which each region's clock is ahead of the near one, if known. */
  readonly skews = new Map<string, number>();
  readonly #settings: ClockSettings;
  readonly #comparedAt = new Map<Store, number>();

  constructor(settings: ClockSettings) {
    this.#settings = settings;
  }

  /** Compares the clocks that are due. Any budget of the regions can be used. */
  compare(budget: Budget, layout: RegionLayout): void {
    const { elapsed } = this.#settings.readings.now();
    for (const place of layout.far) {
      const last = this.#comparedAt.get(place.store);
      if (last !== undefined && elapsed - last < COMPARE_EVERY) continue;
      this.#comparedAt.set(place.store, elapsed);
      this.#compare(budget, layout, place).catch(() => this.#comparedAt.delete(place.store));
    }
  }

  async #compare(budget: Budget, layout: RegionLayout, far: IndexedRegion): Promise<void> {
    const [here, there] = await Promise.all(
      [layout.near, far].map(({ store, ...place }) =>
        this.#offset(store, layout.part(budget, { store, ...place })),
      ),
    );
    const { ms, error } = there as Offset;
    const skew = Math.round(ms - (here as Offset).ms);
    this.skews.set(far.name, skew);
    if (Math.abs(skew) <= TOLERATED + error + (here as Offset).error) return;
    notify(this.#settings.onEvent, { type: "clocks differ", region: far.name, ms: skew });
  }

  async #offset(store: Store, budget: Budget): Promise<Offset> {
    const { readings } = this.#settings;
    const before = readings.exactly().elapsed;
    const [snapshot] = await store.execute({ verb: "peek", budgets: [budget] });
    const after = readings.exactly().elapsed;
    return { ms: (snapshot?.now ?? 0) - (before + after) / 2, error: (after - before) / 2 };
  }
}
