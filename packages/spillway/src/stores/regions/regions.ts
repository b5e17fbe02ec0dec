import type { Store } from "../../limits/core/index.ts";
import { Readings } from "../lending/readings.ts";
import { Borrowing } from "./borrowing.ts";
import { RegionClocks } from "./clocks.ts";
import { Layout } from "./layout.ts";
import { checkedRegionOptions, type RegionStoreOptions, type Regions } from "./options.ts";
import { RegionStore as Impl } from "./region-store.ts";

/** A store over several regions. */
export type RegionStore = Store<"later"> &
  Required<Pick<Store<"later">, "lending" | "limit">> & {
    /**
     * Replaces the regions and their parts, while it runs. What is held of other regions goes back. While processes
     * with old and new parts ask in turn, a key is admitted at most what both would admit apart, added up.
     *
     * @throws SpillwayError `bad-region`, `bad-store`, `unknown-field`; nothing has changed then
     */
    change(regions: Regions): void;
  };

/**
 * Makes one store of several, each in a region of its own: one limit, never over, answered by the near one.
 *
 * Each region has an exact part of every limit, so that no partition can exceed it. Where the near part is used up, units
 * of other regions are drawn in the background and held by this process for a time; no call waits for them.
 * A lender keeps a quarter of its part. `reset`, `block` and `unblock` go to all regions, and reject where one is away.
 *
 * Not for leaky buckets, nor for limits of fewer units than there are regions; concurrency limits and sliding logs
 * have their fixed parts. No calls within a transaction. All processes are to have the same names, parts and `hold`.
 *
 * @throws SpillwayError `bad-option`, `bad-region`, `bad-store`, `bad-clock`, `unknown-field`
 * @example
 * const store = regionStore({ here: "eu", regions: { eu: { store: eu, part: 2 }, us: { store: us, part: 1 } } });
 */
export function regionStore(options: RegionStoreOptions): RegionStore {
  const { here, regions, hold, onEvent, random, clock, scheduler } = checkedRegionOptions(options);
  const readings = new Readings(clock, () => scheduler.elapsed());
  const borrowing = new Borrowing({ readings, scheduler, random, onEvent });
  const clocks = new RegionClocks({ readings, onEvent });
  const layout = new Layout(regions, { here, hold });
  return new Impl({ layout, borrowing, clocks });
}
