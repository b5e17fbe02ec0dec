import { useCallback, useSyncExternalStore } from "react";
import { checkWhole } from "../../internal/index.ts";
import type { LimitView, ValueSource } from "../value/index.ts";

/** What is left, and how to ask the server anew. */
export type UsedLimit = LimitView & { refresh(): Promise<void> };

/**
 * What is left of a limit now, counted on between two answers of the server.
 *
 * Draws the component anew when what is shown changes: a unit comes back, or, while too few are left, a second
 * has gone by. On the server, and until the page is hydrated, it is the source's `initial`.
 *
 * @param source Made outside of components: a new one at each rendering would ask each time.
 * @param count Units that are wanted: `ok` and `retryAfter` are about so many. Default: 1.
 * @throws SpillwayError `bad-option`
 * @example
 * const messages = valueSource("/api/limits/messages");
 * function Send() {
 *   const { ok, remaining, retryAfter } = useLimit(messages);
 *   return <button disabled={!ok}>{ok ? `Send (${remaining} left)` : `in ${Math.ceil(retryAfter / 1000)} s`}</button>;
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
