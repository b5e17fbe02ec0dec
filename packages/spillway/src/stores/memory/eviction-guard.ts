import { type Budget, budgetId } from "../../limits/core/index.ts";
import { FINGERPRINTS, type Fingerprint, GuardPage } from "./guard-page.ts";

/**
 * How far the clock may step back before the guard moves its instants back too, in milliseconds.
 */
const CLOCK_JITTER = 1000;

/**
 * The number of buckets, as a fraction of `maxKeys`. A bucket has 64 bytes, so this is 10 bytes a
 * key: 2.5 entries.
 */
const BUCKETS_PER_KEY = 10 / 64;
const LEAST_BUCKETS = 4;
/**
 * The maximum number of buckets in a page. A page is created when it is first needed, and rewritten
 * only as a whole.
 */
const MOST_BUCKETS = 256;

/**
 * Keeps refusing keys that were evicted while they were refused, until they would be fresh again.
 *
 * For each such key it keeps a fingerprint, and the instant at which the key would have been fresh.
 * Until then it refuses every budget that has this fingerprint and no slot. The evicted key itself
 * is always refused. About one other new key in 500 is refused wrongly, and more if more keys are
 * evicted than there is room for. No evicted key is admitted too early.
 *
 * Clients can't choose which keys are refused wrongly, because fingerprints depend on a seed.
 */
export class EvictionGuard {
  readonly #pages: (GuardPage | undefined)[];
  /** Buckets in each page. */
  readonly #buckets: number;
  readonly #seed: number;
  #latest = 0;

  /** @param seed A whole number from 0 to 2³² − 1. */
  constructor({ maxKeys, seed }: { readonly maxKeys: number; readonly seed: number }) {
    const buckets = Math.max(LEAST_BUCKETS, Math.floor(maxKeys * BUCKETS_PER_KEY));
    this.#pages = new Array(Math.ceil(buckets / MOST_BUCKETS)).fill(undefined);
    this.#buckets = Math.floor(buckets / this.#pages.length);
    this.#seed = seed;
  }

  /** The size of all entries, in bytes. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.bytes ?? 0), 0);
  }

  /** Refuses a budget for `ms` milliseconds from `now`, or longer. */
  refuse(budget: Budget, ms: number, now: number): void {
    this.#rewind(now);
    const { page, mark } = this.#place(budget);
    const known = this.#pages[page] ?? new GuardPage(this.#buckets);
    this.#pages[page] = known;
    known.refuse(now + ms, mark, now);
  }

  /**
   * Returns how long a budget without a slot is refused, in milliseconds; 0 if it is not. May
   * return `Infinity`.
   */
  refusedFor(budget: Budget, now: number): number {
    this.#rewind(now);
    const { page, mark } = this.#place(budget);
    return (this.#pages[page]?.refusedUntil(mark, now) ?? now) - now;
  }

  #place(budget: Budget): { readonly page: number; readonly mark: Fingerprint } {
    const text = budgetId(budget);
    const [one, other] = [hash(text, this.#seed), hash(text, ~this.#seed)];
    const first = (one & 0xffff) % this.#buckets;
    const second = (other & 0xffff) % this.#buckets;
    return {
      page: Math.floor((one / 2 ** 32) * this.#pages.length),
      mark: {
        fingerprint: 1 + ((other >>> 16) % FINGERPRINTS),
        buckets: [first, second === first ? (first + 1) % this.#buckets : second],
      },
    };
  }

  /** Moves all instants back if the clock stepped back by a second or more. */
  #rewind(now: number): void {
    const back = this.#latest - now;
    if (back >= CLOCK_JITTER) for (const page of this.#pages) page?.rewind(back);
    if (back < 0 || back >= CLOCK_JITTER) this.#latest = now;
  }
}

/**
 * Returns a 32-bit hash that can't be predicted without the seed: FNV-1a, mixed as in MurmurHash3.
 * Pure.
 */
function hash(text: string, seed: number): number {
  let bits = mixed(seed ^ text.length);
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
    bits ^= bits >>> 15;
  }
  return mixed(bits) >>> 0;
}

function mixed(given: number): number {
  let bits = Math.imul(given ^ (given >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
