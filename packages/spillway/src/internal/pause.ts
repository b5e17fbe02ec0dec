/** Waiting that a signal ends. */
import type { Scheduler } from "../core/index.ts";

/** What is needed of an `AbortSignal`. */
type Signal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** @throws The signal's reason, where it is aborted already. */
export function aborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Waits so many milliseconds, or rejects with the signal's reason. */
export function pause(
  ms: number,
  signal: Signal | undefined,
  scheduler: Pick<Scheduler, "alarm">,
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
