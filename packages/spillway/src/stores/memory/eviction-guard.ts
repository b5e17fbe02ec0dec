import { type Budget, budgetId } from "../../limits/core/index.ts";
import { FINGERPRINTS, type Fingerprint, GuardPage } from "./guard-page.ts";

/** How far the clock may go back before the guard goes back with it, in milliseconds. */
const CLOCK_JITTER = 1000;

/** Buckets of 64 bytes for each key of a bound: 10 bytes, which is an entry for each of 2.5 keys. */
const BUCKETS_PER_KEY = 10 / 64;
const LEAST_BUCKETS = 4;
/** In a page, which is made when it is needed, and written anew as a whole. */
const MOST_BUCKETS = 256;

/**
 * What is still known of keys that had to be forgotten while they were refused.
 *
 * Of each there is a fingerprint, and the instant at which it would have been fresh again. Until then a
 * budget with this fingerprint that is not known otherwise is refused: the forgotten one rightly, one
 * stranger in some five hundred wrongly, but nobody is let through who should not be. Once more keys
 * are refused than there is room for, it is more strangers.
 *
 * Which strangers, nobody can choose: fingerprints depend on a seed.
 */
export class EvictionGuard {
  readonly #pages: (GuardPage | undefined)[];
  /** Buckets in each page. */
  readonly #buckets: number;
  readonly #seed: number;
  #latest = 0;

  /** @param seed A whole number below 2³². */
  constructor({ maxKeys, seed }: { readonly maxKeys: number; readonly seed: number }) {
    const buckets = Math.max(LEAST_BUCKETS, Math.floor(maxKeys * BUCKETS_PER_KEY));
    this.#pages = new Array(Math.ceil(buckets / MOST_BUCKETS)).fill(undefined);
    this.#buckets = Math.floor(buckets / this.#pages.length);
    this.#seed = seed;
  }

  /** The size of its entries, in bytes. */
  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.bytes ?? 0), 0);
  }

  /** Remembers that a budget is to be refused for `ms` from now. */
  refuse(budget: Budget, ms: number, now: number): void {
    this.#rewind(now);
    const { page, mark } = this.#place(budget);
    const known = this.#pages[page] ?? new GuardPage(this.#buckets);
    this.#pages[page] = known;
    known.refuse(now + ms, mark, now);
  }

  /** Milliseconds for which a budget that is not known otherwise is refused; 0 for none. */
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

  /** A clock that went back takes what is remembered back with it. */
  #rewind(now: number): void {
    const back = this.#latest - now;
    if (back >= CLOCK_JITTER) for (const page of this.#pages) page?.rewind(back);
    if (back < 0 || back >= CLOCK_JITTER) this.#latest = now;
  }
}

/** 32 bits of a text that nobody can foretell without the seed: FNV-1a, mixed as in MurmurHash3. Pure. */
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
