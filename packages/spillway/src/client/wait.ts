/** Waiting, with a deadline and a signal. */
import { RateLimitError, type Scheduler } from "../core/index.ts";
import { notify } from "../internal/index.ts";
import type { ClientSignal } from "./contracts.ts";
import type { Host, Turn } from "./host.ts";
import type { ClientSettings } from "./options.ts";
import type { Waiting } from "./waiting.ts";

/** @throws The signal's reason, where it is aborted already. */
export function aborted(signal: ClientSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Waits so many milliseconds, or rejects with the signal's reason. */
export function pause(
  ms: number,
  signal: ClientSignal | undefined,
  scheduler: Scheduler,
): Promise<void> {
  return new Promise((resolve, reject) => {
    aborted(signal);
    const end = (call: () => void) => () => {
      callOff();
      signal?.removeEventListener("abort", stop);
      call();
    };
    const stop = end(() => reject(signal?.reason));
    const callOff = scheduler.alarm(ms, end(resolve));
    signal?.addEventListener("abort", stop);
  });
}

/**
 * Waits until a request may be sent to a host.
 *
 * @throws RateLimitError where it may not before its deadline; the signal's reason.
 */
export function turnAt(
  host: Host,
  waiting: Waiting & { readonly deadline: number },
  signal: ClientSignal | undefined,
  { scheduler, onEvent }: ClientSettings,
): Promise<void> {
  return new Promise((resolve, reject) => {
    aborted(signal);
    let callOff = () => {};
    const settled = () => {
      callOff();
      signal?.removeEventListener("abort", stop);
    };
    const turn: Turn = {
      ...waiting,
      go() {
        settled();
        resolve();
      },
      refuse(decision) {
        settled();
        notify(onEvent, { type: "gave up", host: host.name, decision });
        reject(new RateLimitError(decision));
      },
      fail(error) {
        settled();
        reject(error);
      },
    };
    const stop = () => {
      host.leave(turn);
      turn.fail(signal?.reason);
    };
    const late = () => {
      const decision = host.refusal();
      host.leave(turn);
      turn.refuse(decision);
    };
    signal?.addEventListener("abort", stop);
    callOff = scheduler.alarm(Math.max(0, waiting.deadline - scheduler.elapsed()), late);
    host.join(turn);
  });
}
