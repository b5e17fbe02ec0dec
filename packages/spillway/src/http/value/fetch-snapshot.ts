/** One request for what is left, which ends. */
import { inTime, stopper } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import { readSnapshot, type ValueSnapshot } from "./snapshot.ts";

/** What is needed of `fetch`. */
export type ValueFetch = (url: string, init: never) => Promise<ValueResponse>;

/** What is needed of a `Response`. */
export type ValueResponse = {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
};

type Fetching = {
  readonly fetch: ValueFetch;
  readonly wait: number;
  readonly scheduler: Scheduler;
};

/**
 * Asks, and waits for an answer no longer than `wait`, though `fetch` takes no notice of its signal.
 *
 * @throws Whatever `fetch` rejects with; TypeError, SpillwayError for what is not such an answer; Error
 * where it takes too long
 */
export function fetchSnapshot(
  url: string,
  { fetch, wait, scheduler }: Fetching,
): Promise<ValueSnapshot> {
  const { signal, stop } = stopper();
  const start = (ms: number, call: () => void) => scheduler.alarm(ms, call);
  const needed = { field: "fetch", timeout: wait, start };
  return inTime(needed, ask(url, { fetch, signal }), (error, isLate) => {
    if (!isLate) return error;
    stop(undefined);
    return new Error(`what is left was not answered within ${wait} ms`);
  });
}

type Asking = { readonly fetch: ValueFetch; readonly signal: unknown };

async function ask(url: string, { fetch, signal }: Asking): Promise<ValueSnapshot> {
  const response = await fetch(url, { cache: "no-store", signal } as never);
  if (!response.ok) throw new TypeError(`what is left was answered with ${response.status}`);
  return readSnapshot(await response.json());
}
