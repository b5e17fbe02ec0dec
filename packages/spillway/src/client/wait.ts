/** Waiting, with a deadline and a signal. */
import { RateLimitError } from "../core/index.ts";
import { notify, type StopSignal, throwIfAborted } from "../internal/index.ts";
import type { Host, Permit, Turn } from "./host.ts";
import type { ClientSettings } from "./options.ts";
import type { Waiting } from "./waiting.ts";

/**
 * Waits until a request may be sent to a host.
 *
 * @throws RateLimitError where it may not before its deadline; the signal's reason.
 */
export function turnAt(
  host: Host,
  waiting: Waiting & { readonly deadline: number },
  signal: StopSignal | undefined,
  { scheduler, onEvent }: ClientSettings,
): Promise<Permit> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    let callOff = () => {};
    const settled = () => {
      callOff();
      signal?.removeEventListener("abort", stop);
    };
    const turn: Turn = {
      ...waiting,
      go(permit) {
        settled();
        resolve(permit);
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
