import {
  badOption,
  checkFunction,
  checkOptions,
  checkWhole,
  isThenable,
  RecentMap,
} from "../../internal/index.ts";
import { type Duration, elapsed, milliseconds } from "../../limits/core/index.ts";

/** How long what was loaded is kept, and how much of it. */
export type CachedOptions = {
  /** How long a value is used: milliseconds from 1 to 366 days, or text such as `"1m"`. */
  readonly for: Duration;
  /** The most values that are kept; the oldest goes first: 1 to a million. Default: 10 000. */
  readonly most?: number;
  /** Milliseconds from a clock that never steps: for tests. */
  readonly elapsed?: () => number;
};

type Kept<T> = { readonly value: T | Promise<T>; readonly until: number };

/**
 * Keeps what a function finds for a text, such as the limit of a tenant's plan.
 *
 * Calls at the same time share one load, and so do calls until its time is over. A load that throws
 * or rejects is not kept. Not for what has to change at once: a plan holds on for as long as is said.
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
  const kept = new RecentMap<string, Kept<T>>(most);
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
  kept: RecentMap<string, Kept<T>>,
  name: string,
  value: Promise<T>,
): void {
  value.catch(() => {
    if (kept.get(name)?.value === value) kept.delete(name);
  });
}
