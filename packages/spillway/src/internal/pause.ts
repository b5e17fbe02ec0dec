/** Waiting, which a signal may end. */
import type { Scheduler } from "../limits/core/index.ts";
import { type StopSignal, throwIfAborted } from "./stop-signal.ts";

export type Pausing = {
  readonly signal?: StopSignal | undefined;
  readonly scheduler: Pick<Scheduler, "alarm">;
};

/** Waits so many milliseconds, or rejects with the reason of a signal that is aborted before. */
export function pause(ms: number, { signal, scheduler }: Pausing): Promise<void> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
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
