import { after, badOption } from "../../internal/index.ts";
import { RateLimiter } from "../../limiter/index.ts";
import {
  type Answer,
  type FixedWindow,
  MOST_UNITS,
  type Mode,
  type Store,
  systemClock,
} from "../../limits/core/index.ts";

/** Settings of a store for a limiter that counts hits. */
export type HitStoreOptions<M extends Mode> = {
  /** Where hits are kept. Default: a memory store of its own. */
  readonly store?: Store<M>;
  /** Distinguishes the hits of one limiter from those of others in the same store, as a limit's name does. */
  readonly name?: string;
};

/** The names of these settings. */
export const HIT_STORE_OPTIONS: readonly (keyof HitStoreOptions<Mode>)[] = ["store", "name"];

/** How often a key was seen in its present window, and when that ends. */
export type Hits = { readonly totalHits: number; readonly resetTime: Date };

/**
 * Counts hits of keys in windows; whoever asks compares them with a limit of their own.
 *
 * A limit of 10⁹ counts every hit, those that are refused included: `decrement` says of which key a
 * hit is taken back, not which hit, so that each of them has to have been counted. Answers are
 * records of their own, which no later hit changes. A hit that can't be counted throws a
 * `RateLimitError` with status 503.
 */
export class HitStore<M extends Mode = "now"> {
  /** Distinguishes keys of this store from those of others. */
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

  /** Called once by the limiter that uses this. @throws SpillwayError `bad-period` */
  init({ windowMs }: { readonly windowMs: number }): void {
    const window = { kind: "fixed window", rate: MOST_UNITS, period: windowMs } as const;
    const options = this.#store === undefined ? {} : { store: this.#store };
    this.#initialized = {
      limiter: new RateLimiter<Windows, M>({ [this.prefix]: window }, options),
      mode: this.#store?.mode ?? ("now" as M),
    };
  }

  /** Counts a hit. @throws RateLimitError where it can't be counted */
  increment(key: string): Answer<M, Hits> {
    const { limiter, mode } = this.#ready();
    return after(mode, limiter.limit(this.prefix, { key, throws: true }), hitsOf);
  }

  /** Takes a hit back; one of a window that has ended is gone by itself. */
  decrement(key: string): Answer<M, void> {
    const { limiter, mode } = this.#ready();
    const settled = limiter.settle(this.prefix, { key, reserved: 1, used: 0 });
    return after(mode, settled, () => undefined);
  }

  /** Forgets the hits of a key. */
  resetKey(key: string): Answer<M, void> {
    return this.#ready().limiter.reset(this.prefix, { key });
  }

  /** The hits of a key; undefined where it has none. */
  get(key: string): Answer<M, Hits | undefined> {
    const { limiter, mode } = this.#ready();
    return after(mode, limiter.value(this.prefix, { key }), (value) =>
      value.remaining < value.capacity ? hitsOf(value) : undefined,
    );
  }

  #ready(): Initialized<M> {
    if (this.#initialized !== undefined) return this.#initialized;
    throw badOption("windowMs", undefined, "a window, which `init` is called with");
  }
}

type Windows = { readonly [name: string]: FixedWindow };

type Initialized<M extends Mode> = { readonly limiter: RateLimiter<Windows, M>; readonly mode: M };

/** What is needed of a decision, or of a value. */
type Counted = {
  readonly capacity: number;
  readonly remaining: number;
  readonly resetAfter: number;
};

function hitsOf({ capacity, remaining, resetAfter }: Counted): Hits {
  return { totalHits: capacity - remaining, resetTime: new Date(systemClock() + resetAfter) };
}
