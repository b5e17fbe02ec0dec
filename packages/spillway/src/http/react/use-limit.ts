import { useCallback, useSyncExternalStore } from "react";
import { checkWhole } from "../../internal/index.ts";
import type { LimitView, ValueSource } from "../value/index.ts";

/** The values of a limit, and a function that requests them again. */
export type UsedLimit = LimitView & { refresh(): Promise<void> };

/**
 * Returns what is left of a limit now, kept up to date between two answers of the server.
 *
 * Renders the component again when a shown value changes: a unit has come back, or, while too few
 * are left, a second has passed. On the server and until hydration, it returns the source's
 * `initial`.
 *
 * @param source Created outside of components. A new one in each rendering would send a request
 * each time.
 * @param count The wanted units, to which `ok` and `retryAfter` refer: 1 to 10⁹. Default: 1.
 * @throws SpillwayError `bad-option`
 * @example
 * const messages = valueSource("/api/limits/messages");
 * function Send() {
 *   const { ok, remaining, retryAfter } = useLimit(messages);
 *   const label = ok ? `Send (${remaining} left)` : `in ${Math.ceil(retryAfter / 1000)} s`;
 *   return <button disabled={!ok}>{label}</button>;
 * }
 */
export function useLimit(source: ValueSource, count = 1): UsedLimit {
  checkWhole("count", count, { most: 1_000_000_000 });
  const subscribe = useCallback(
    (changed: () => void) => source.subscribe(changed, count),
    [source, count],
  );
  const view = useSyncExternalStore(
    subscribe,
    () => source.view(count),
    () => source.initialView(count),
  );
  const refresh = useCallback(() => source.refresh(), [source]);
  return { ...view, refresh };
}
