/** One request for what is left, with a timeout. */
import { inTime, stopper } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import { readSnapshot, type ValueSnapshot } from "./snapshot.ts";

/** The used part of `fetch`. */
export type ValueFetch = (url: string, init: never) => Promise<ValueResponse>;

/** The used part of a `Response`. */
export type ValueResponse = {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
};

type FetchSettings = {
  readonly fetch: ValueFetch;
  readonly wait: number;
  readonly scheduler: Scheduler;
};

/**
 * Requests what is left. Waits at most `wait` milliseconds, even if `fetch` ignores its signal.
 *
 * @throws Any error that `fetch` rejects with; TypeError or SpillwayError if the answer is not a
 * snapshot; Error after a timeout
 */
export function fetchSnapshot(
  url: string,
  { fetch, wait, scheduler }: FetchSettings,
): Promise<ValueSnapshot> {
  const { signal, stop } = stopper();
  const start = (ms: number, call: () => void) => scheduler.alarm(ms, call);
  const needed = { field: "fetch", timeout: wait, start };
  return inTime(needed, ask(url, { fetch, signal }), (error, isLate) => {
    if (!isLate) return error;
    stop(undefined);
    return new Error(`no snapshot arrived within ${wait} ms`);
  });
}

type FetchCall = { readonly fetch: ValueFetch; readonly signal: unknown };

async function ask(url: string, { fetch, signal }: FetchCall): Promise<ValueSnapshot> {
  const response = await fetch(url, { cache: "no-store", signal } as never);
  if (!response.ok)
    throw new TypeError(`the request for a snapshot was answered with ${response.status}`);
  return readSnapshot(await response.json());
}
