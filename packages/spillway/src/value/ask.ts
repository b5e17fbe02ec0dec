/** One request for what is left, which ends. */
import type { Scheduler } from "../core/index.ts";
import { readSnapshot, type ValueSnapshot } from "./snapshot.ts";

/** What is needed of `fetch`. */
export type ValueFetch = (url: string, init: never) => Promise<ValueResponse>;

/** What is needed of a `Response`. */
export type ValueResponse = {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
};

type Asking = {
  readonly fetch: ValueFetch;
  readonly wait: number;
  readonly scheduler: Scheduler;
};

declare const AbortController: new () => { readonly signal: object; abort(): void };

/** @throws Whatever `fetch` rejects with; TypeError, SpillwayError for what is not such an answer */
export async function ask(url: string, { fetch, wait, scheduler }: Asking): Promise<ValueSnapshot> {
  const controller = new AbortController();
  const callOff = scheduler.alarm(wait, () => controller.abort());
  try {
    const init = { cache: "no-store", signal: controller.signal } as never;
    const response = await fetch(url, init);
    if (!response.ok) throw new TypeError(`what is left was answered with ${response.status}`);
    return readSnapshot(await response.json());
  } finally {
    callOff();
  }
}
