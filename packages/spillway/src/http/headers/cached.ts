import {
  badOption,
  checkFunction,
  checkOptions,
  checkWhole,
  isThenable,
  RecentMap,
} from "../../internal/index.ts";
import { type Duration, elapsed, milliseconds } from "../../limits/core/index.ts";

/** How long values are cached, and how many. */
export type CachedOptions = {
  /** How long a value is used: 1 ms to 366 days, as milliseconds or a text such as `"1m"`. */
  readonly for: Duration;
  /**
   * The maximum number of values in the cache: 1 to a million. The oldest is evicted first.
   * Default: 10 000.
   */
  readonly most?: number;
  /** Returns milliseconds of a monotonic clock. Replaced in tests. */
  readonly elapsed?: () => number;
};

type CacheEntry<T> = { readonly value: T | Promise<T>; readonly until: number };

/**
 * Caches the values that a function finds for a text, such as the limit of a tenant's plan.
 *
 * Simultaneous calls share one load, as do all calls until the value expires. If a load throws or
 * rejects, nothing is cached. Not for values that must change at once: a cached plan stays in use
 * for the whole time.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`
 * @example
 * const planOf = cached(loadPlan, { for: "1m" });
 * limited(limiter, { limit: "api", config: (request) => planOf(request.params.tenant) });
 */
export function cached<T>(
  load: (name: string) => T | Promise<T>,
  options: CachedOptions,
): (name: string) => T | Promise<T> {
  checkOptions("cached", options, ["for", "most", "elapsed"]);
  const { most = 10_000, elapsed: now = elapsed } = options;
  const ms = milliseconds(options.for);
  if (ms === undefined) throw badOption("for", options.for, "a duration from 1 ms to 366 days");
  checkWhole("most", most, { most: 1_000_000 });
  checkFunction("load", load);
  const kept = new RecentMap<string, CacheEntry<T>>(most);
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined && now() < known.until) return known.value;
    const loaded = load(name);
    const value = isThenable(loaded) ? Promise.resolve(loaded) : loaded;
    kept.set(name, { value, until: now() + ms });
    if (value instanceof Promise) forgetIfRejected(kept, name, value);
    return value;
  };
}

function forgetIfRejected<T>(
  kept: RecentMap<string, CacheEntry<T>>,
  name: string,
  value: Promise<T>,
): void {
  value.catch(() => {
    if (kept.get(name)?.value === value) kept.delete(name);
  });
}
