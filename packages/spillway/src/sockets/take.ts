/** Taking units of a limit, and waiting for them. */

import { isPromised, type MaybePromise, pause, type StopSignal } from "../internal/index.ts";
import {
  type Decision,
  type Duration,
  milliseconds,
  type Scheduler,
  SpillwayError,
} from "../limits/core/index.ts";

/** How long units are waited for. */
export type WaitTiming = {
  /** Milliseconds; 0 for what is there or not. */
  readonly wait: number;
  /** Ends the waiting: the promise is rejected with its reason. */
  readonly signal: StopSignal | undefined;
  readonly scheduler: Pick<Scheduler, "alarm" | "elapsed">;
};

/** @throws SpillwayError `bad-wait` */
export function checkedWait(wait: Duration): number {
  const ms = wait === 0 ? 0 : milliseconds(wait);
  if (ms !== undefined) return ms;
  const expected = 'milliseconds from 0 to 366 days, or text such as "2s"';
  throw new SpillwayError({ code: "bad-wait", field: "wait", value: wait, expected });
}

/**
 * Asks until units are given, or can't be in time; then the last refusal is the answer, at once.
 *
 * What is given for later, as by a leaky bucket, is waited for. An answer that is there at once and
 * needs no wait costs no turn of the event loop.
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
