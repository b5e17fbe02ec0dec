/** One request for what is left, which ends. */
import type { Scheduler } from "../core/index.ts";
import { stopper } from "../internal/index.ts";
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

/** @throws Whatever `fetch` rejects with; TypeError, SpillwayError for what is not such an answer */
export async function fetchSnapshot(
  url: string,
  { fetch, wait, scheduler }: Fetching,
): Promise<ValueSnapshot> {
  const { signal, stop } = stopper();
  const callOff = scheduler.alarm(wait, () => stop(undefined));
  try {
    const init = { cache: "no-store", signal } as never;
    const response = await fetch(url, init);
    if (!response.ok) throw new TypeError(`what is left was answered with ${response.status}`);
    return readSnapshot(await response.json());
  } finally {
    callOff();
  }
}
