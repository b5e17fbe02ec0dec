import type { Store } from "../../limits/core/index.ts";
import { Readings } from "../lending/readings.ts";
import { Borrowing } from "./borrowing.ts";
import { RegionClocks } from "./clocks.ts";
import { checkedRegionOptions, type RegionStoreOptions, type Regions } from "./options.ts";
import { RegionLayout } from "./region-layout.ts";
import { MultiRegionStore as Impl } from "./region-store.ts";

/** A store over several regions. */
export type RegionStore = Store<"later"> &
  Required<Pick<Store<"later">, "lending" | "limit">> & {
    /**
     * Replaces the regions and their parts while the store is in use. Units held of other regions
     * are given back. While processes with old and new parts are mixed, a key gets at most the sum
     * of what both definitions would admit separately.
     *
     * @throws SpillwayError `bad-region`, `bad-store`, `unknown-field`; nothing is changed then
     */
    change(regions: Regions): void;
  };

/**
 * Combines the stores of several regions into one store: one limit, never exceeded, answered by the
 * near region.
 *
 * Each region has an exact part of every limit, so that no partition of the network can exceed it.
 * When the near part is used up, this process draws units of other regions in the background and
 * holds them for a time. No call waits for them. A lender keeps a quarter of its part. `reset`,
 * `block` and `unblock` go to all regions, and reject if one is unavailable.
 *
 * Not for leaky buckets, nor for limits with fewer units than regions. Concurrency limits and
 * sliding logs have fixed parts. There are no calls in a transaction. All processes must have the
 * same names, parts and `hold`.
 *
 * @throws SpillwayError `bad-option`, `bad-region`, `bad-store`, `bad-clock`, `unknown-field`
 * @example const store = regionStore({ here: "eu", regions: { eu: { store: eu, part: 2 }, us: {
 * store: us, part: 1 } } });
 */
export function regionStore(options: RegionStoreOptions): RegionStore {
  const { here, regions, hold, onEvent, random, clock, scheduler } = checkedRegionOptions(options);
  const readings = new Readings(clock, () => scheduler.elapsed());
  const borrowing = new Borrowing({ readings, scheduler, random, onEvent });
  const clocks = new RegionClocks({ readings, onEvent });
  const layout = new RegionLayout(regions, { here, hold });
  return new Impl({ layout, borrowing, clocks });
}
