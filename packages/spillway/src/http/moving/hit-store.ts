import { after, badOption } from "../../internal/index.ts";
import { RateLimiter } from "../../limiter/index.ts";
import {
  type Answer,
  type Decision,
  type FixedWindow,
  MOST_UNITS,
  RateLimitError,
  type Store,
  systemClock,
  type Timing,
} from "../../limits/core/index.ts";

/** Options of a store for a limiter that counts hits. */
export type HitStoreOptions<M extends Timing> = {
  /** Keeps the hits. Default: a new memory store. */
  readonly store?: Store<M>;
  /**
   * Separates the hits of one limiter from those of others in the same store, as a limit's name
   * does.
   */
  readonly name?: string;
};

/** The names of these options. */
export const HIT_STORE_OPTIONS: readonly (keyof HitStoreOptions<Timing>)[] = ["store", "name"];

/** The hits of a key in its current window, and when that window ends. */
export type Hits = { readonly totalHits: number; readonly resetTime: Date };

/**
 * Counts the hits of keys in windows. The caller compares them with its own limit.
 *
 * Every hit is counted, even of refused requests. This is necessary because `decrement` names a
 * key, but not a hit, so each hit must have been counted. Beyond 10⁹ in a window nothing is
 * counted, and all hits are reported as 10⁹ + 1, which is above every limit. Returned records never
 * change. A hit that can't be counted because the store fails throws a `RateLimitError` with status
 * 503.
 */
export class HitStore<M extends Timing = "now"> {
  /** Distinguishes the keys of this store from those of others. */
  readonly prefix: string;
  /** Whether no other process counts the same hits. */
  readonly localKeys: boolean;
  readonly #store: Store<M> | undefined;
  #initialized: Initialized<M> | undefined;

  constructor({ store, name }: HitStoreOptions<M> & { readonly name: string }) {
    this.prefix = name;
    this.localKeys = store === undefined || store.isOwn === true;
    this.#store = store;
  }

  /** Called once by the limiter that uses this store. @throws SpillwayError `bad-period` */
  init({ windowMs }: { readonly windowMs: number }): void {
    const window = { kind: "fixed window", rate: MOST_UNITS, period: windowMs } as const;
    const options = this.#store === undefined ? {} : { store: this.#store };
    this.#initialized = {
      limiter: new RateLimiter<HitWindows, M>({ [this.prefix]: window }, options),
      timing: this.#store?.timing ?? ("now" as M),
    };
  }

  /** Counts a hit. @throws RateLimitError if it can't be counted */
  increment(key: string): Answer<M, Hits> {
    const { limiter, timing } = this.#ready();
    return after(timing, limiter.limit(this.prefix, { key }), countedHits);
  }

  /** Takes back a hit. Hits of a window that has ended are already gone. */
  decrement(key: string): Answer<M, void> {
    const { limiter, timing } = this.#ready();
    const settled = limiter.settle(this.prefix, { key, reserved: 1, used: 0 });
    return after(timing, settled, () => undefined);
  }

  /** Resets the hits of a key. */
  resetKey(key: string): Answer<M, void> {
    return this.#ready().limiter.reset(this.prefix, { key });
  }

  /** Returns the hits of a key; undefined if it has none. */
  get(key: string): Answer<M, Hits | undefined> {
    const { limiter, timing } = this.#ready();
    return after(timing, limiter.value(this.prefix, { key }), (value) =>
      value.remaining < value.capacity ? hitsOf(value) : undefined,
    );
  }

  #ready(): Initialized<M> {
    if (this.#initialized !== undefined) return this.#initialized;
    throw badOption("windowMs", undefined, "a window, which `init` sets");
  }
}

type HitWindows = { readonly [name: string]: FixedWindow };

type Initialized<M extends Timing> = {
  readonly limiter: RateLimiter<HitWindows, M>;
  readonly timing: M;
};

/** A full window is no failure: a middleware may admit requests if its store throws. */
function countedHits(decision: Decision): Hits {
  if (decision.ok) return hitsOf(decision);
  if (decision.reason !== "limited") throw new RateLimitError(decision);
  const { resetTime } = hitsOf(decision);
  return { totalHits: MOST_UNITS + 1, resetTime };
}

/** The used part of a decision or a value. */
type WindowValue = {
  readonly capacity: number;
  readonly remaining: number;
  readonly resetAfter: number;
};

function hitsOf({ capacity, remaining, resetAfter }: WindowValue): Hits {
  return { totalHits: capacity - remaining, resetTime: new Date(systemClock() + resetAfter) };
}
