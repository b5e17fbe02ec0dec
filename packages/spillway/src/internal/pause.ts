/** Waits, unless a signal aborts. */
import type { Scheduler } from "../limits/core/index.ts";
import { type StopSignal, throwIfAborted } from "./stop-signal.ts";

export type PauseOptions = {
  readonly signal?: StopSignal | undefined;
  readonly scheduler: Pick<Scheduler, "alarm">;
};

/** Waits `ms` milliseconds. Rejects with the signal's reason if it aborts before. */
export function pause(ms: number, { signal, scheduler }: PauseOptions): Promise<void> {
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
