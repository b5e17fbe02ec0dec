/** Takes units from a limit, and waits for them. */

import { isPromised, type MaybePromise, pause, type StopSignal } from "../internal/index.ts";
import {
  type Decision,
  type Duration,
  milliseconds,
  type Scheduler,
  SpillwayError,
} from "../limits/core/index.ts";

/** How long to wait for units. */
export type WaitTiming = {
  /** The longest wait, in milliseconds; 0 does not wait. */
  readonly wait: number;
  /** Ends the wait: the promise rejects with the signal's reason. */
  readonly signal: StopSignal | undefined;
  readonly scheduler: Pick<Scheduler, "alarm" | "elapsed">;
};

/** Returns a wait in milliseconds. @throws SpillwayError `bad-wait` */
export function checkedWait(wait: Duration): number {
  const ms = wait === 0 ? 0 : milliseconds(wait);
  if (ms !== undefined) return ms;
  const expected = 'milliseconds from 0 to 366 days, or text such as "2s"';
  throw new SpillwayError({ code: "bad-wait", field: "wait", value: wait, expected });
}

/**
 * Calls a limit until it admits. If it can't admit in time, returns the last refusal at once.
 *
 * Units that are reserved for later, as by a leaky bucket, are waited for even beyond `wait`.
 * An answer that is not a promise and needs no wait is returned in the same turn of the event loop.
 */
export function take(
  ask: () => MaybePromise<Decision>,
  timing: WaitTiming,
): MaybePromise<Decision> {
  const first = ask();
  if (!isPromised(first) && isFinal(first, timing.wait)) return first;
  return takeLater(first, ask, timing);
}

function isFinal({ ok, retryAfter }: Decision, wait: number): boolean {
  return ok ? retryAfter === 0 : retryAfter > wait;
}

async function takeLater(
  first: MaybePromise<Decision>,
  ask: () => MaybePromise<Decision>,
  { wait, signal, scheduler }: WaitTiming,
): Promise<Decision> {
  const deadline = scheduler.elapsed() + wait;
  let decision = await first;
  while (!isFinal(decision, deadline - scheduler.elapsed())) {
    await pause(Math.max(1, decision.retryAfter), { signal, scheduler });
    if (decision.ok) return decision;
    decision = await ask();
  }
  return decision;
}
