import {
  callable,
  checkOptions,
  clock,
  given,
  isOptions,
  type OptionsOf,
  type OptionTable,
  random,
  readOptions,
  scheduler,
  whole,
} from "../../internal/index.ts";
import {
  type Clock,
  HOUR,
  type Problem,
  type Random,
  type Scheduler,
  SECOND,
  SpillwayError,
  type Store,
} from "../../limits/core/index.ts";
import type { OnRegionEvent } from "./events.ts";

/** One region: its store, and its share of each limit. */
export type Region = {
  /** The region's store. In processes far away, give it a deadline that fits the distance. */
  readonly store: Store;
  /** Its weight among all regions: a whole number from 1 to 1000. */
  readonly part: number;
};

/** The regions by name. Names and parts must be the same in every process. */
export type Regions = { readonly [name: string]: Region };

/** Options of a store over several regions. */
export type RegionStoreOptions = {
  /** The region of this process. */
  readonly here: string;
  readonly regions: Regions;
  /**
   * The longest time for which this process holds units of another region, for limits without
   * `share`: milliseconds from 100 to an hour. Default: 10 000. It must be the same in every
   * process.
   */
  readonly hold?: number | undefined;
  /** Receives events between regions. */
  readonly onEvent?: OnRegionEvent | undefined;
  /** The source of randomness for the ids of shares. Default: the runtime's own. */
  readonly random?: Random | undefined;
  /** The machine's clock. Only for tests. */
  readonly clock?: Clock | undefined;
  /** The monotonic clock and timers. Only for tests. */
  readonly scheduler?: Pick<Scheduler, "elapsed" | "afterDelay"> | undefined;
};

const REGION = ["store", "part"] as const;

const MOST_PART = 1000;
const MOST_REGIONS = 100;

const TABLE = {
  here: given<string>(),
  regions: given<Regions>(),
  hold: whole({ least: 100, most: HOUR, otherwise: 10 * SECOND }),
  onEvent: callable<OnRegionEvent>(),
  random,
  clock,
  scheduler,
} satisfies OptionTable<RegionStoreOptions>;

/** @throws SpillwayError `bad-option`, `bad-clock`, `bad-region`, `bad-store`, `unknown-field` */
export function checkedRegionOptions(options: RegionStoreOptions): OptionsOf<typeof TABLE> {
  const read = readOptions({ of: "regionStore" }, options, TABLE);
  checkRegions(read.regions, read.here);
  return read;
}

/**
 * Checks regions, and that one of them is `here`. @throws SpillwayError `bad-region`, `bad-store`,
 * `unknown-field`
 */
export function checkRegions(regions: Regions, here: string): void {
  if (!isOptions(regions, [])) {
    const expected =
      "regions by name, such as { eu: { store: eu, part: 2 }, us: { store: us, part: 1 } }";
    throw badRegion("regions", regions, expected);
  }
  const names = Object.keys(regions);
  if (names.length === 0 || names.length > MOST_REGIONS) {
    throw badRegion("regions", names.length, `1 to ${MOST_REGIONS} regions`);
  }
  for (const name of names) checkRegion(name, regions[name] as Region);
  if (!Object.hasOwn(regions, here)) {
    throw badRegion("here", here, `the name of one of the regions: ${names.join(", ")}`);
  }
  checkDistinct(regions);
}

function checkRegion(name: string, region: Region): void {
  const field = `regions.${name}`;
  if (!isOptions(region, REGION)) throw badRegion(field, region, "{ store, part }");
  checkOptions(field, region, REGION);
  const { store, part } = region;
  if (typeof store?.execute !== "function") {
    const hint = "Pass what redisStore(client) returns, not a driver";
    const place = { field: `${field}.store`, value: store, isPrivate: true };
    throw new SpillwayError({ code: "bad-store", ...place, expected: "a store", hint });
  }
  if (Number.isInteger(part) && part >= 1 && part <= MOST_PART) return;
  const hint = part === 0 ? "Leave out regions that should admit nothing" : undefined;
  throw badRegion(`${field}.part`, part, `a whole number from 1 to ${MOST_PART}`, { hint });
}

/** Two regions in one store would be two definitions of one budget. */
function checkDistinct(regions: Regions): void {
  const names = new Map<Store, string>();
  for (const [name, { store }] of Object.entries(regions)) {
    const other = names.get(store);
    if (other !== undefined) {
      const expected = `a store of its own, not that of ${other}`;
      throw badRegion(`regions.${name}.store`, store, expected);
    }
    names.set(store, name);
  }
}

type More = Pick<Problem, "hint">;

function badRegion(field: string, value: unknown, expected: string, more: More = {}) {
  return new SpillwayError({ code: "bad-region", field, value, expected, ...more });
}
