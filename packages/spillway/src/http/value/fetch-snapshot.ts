/** One request for what is left, which ends. */

import { stopper } from "../../internal/index.ts";
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
  return new Promise((resolve, reject) => {
    const callOff = scheduler.alarm(wait, () => {
      stop(undefined);
      reject(new Error(`what is left was not answered within ${wait} ms`));
    });
    void ask(url, { fetch, signal }).then(resolve, reject).then(callOff);
  });
}

type Asking = { readonly fetch: ValueFetch; readonly signal: unknown };

async function ask(url: string, { fetch, signal }: Asking): Promise<ValueSnapshot> {
  const response = await fetch(url, { cache: "no-store", signal } as never);
  if (!response.ok) throw new TypeError(`what is left was answered with ${response.status}`);
  return readSnapshot(await response.json());
}
