/** Waits that end with a result, at a deadline, or by an abort signal. */
import {
  AbortListeners,
  type CallTimer,
  callTimer,
  notify,
  Slices,
  type StopSignal,
  throwIfAborted,
} from "../../internal/index.ts";
import { RateLimitError } from "../../limits/core/index.ts";
import type { ClientSettings } from "../settings.ts";
import type { Host } from "./host.ts";
import type { Permit, QueuedRequest } from "./queued-request.ts";
import type { WaitingRequest } from "./waiting-line.ts";

/**
 * All waits of one client: for permission to send a request, and before a request is sent again.
 *
 * They share one timer, and one listener for each signal. Waits that end at the same time are ended
 * in slices, so that other work can run in between.
 */
export class ClientWaits {
  readonly #settings: Pick<ClientSettings, "scheduler" | "onEvent">;
  readonly #timer: CallTimer;
  readonly #signals: AbortListeners;

  constructor(settings: Pick<ClientSettings, "scheduler" | "onEvent">) {
    const { scheduler } = settings;
    this.#settings = settings;
    this.#timer = callTimer((ms, call) => scheduler.alarm(ms, call), scheduler);
    this.#signals = new AbortListeners(new Slices(scheduler));
  }

  /**
   * Waits until a request may be sent to a host.
   *
   * @throws RateLimitError if it may not be sent before its deadline; the signal's reason if it is
   * aborted.
   */
  turnAt(
    host: Host,
    waiting: WaitingRequest & { readonly deadline: number },
    signal: StopSignal | undefined,
  ): Promise<Permit> {
    const { scheduler, onEvent } = this.#settings;
    return new Promise((resolve, reject) => {
      let settled = () => {};
      const turn: QueuedRequest = {
        ...waiting,
        get isOver() {
          return signal?.aborted === true;
        },
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
      const stop = (reason: unknown) => {
        host.leave(turn);
        turn.fail(reason);
      };
      const late = () => {
        const decision = host.refusal();
        host.leave(turn);
        turn.refuse(decision);
      };
      const ms = Math.max(0, waiting.deadline - scheduler.elapsed());
      settled = this.#either({ ms, call: late }, signal, stop);
      host.join(turn);
    });
  }

  /** Waits `ms` milliseconds. Rejects with the signal's reason if it aborts before. */
  pause(ms: number, signal: StopSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const callOff = this.#either({ ms, call: resolve }, signal, (reason) => {
        callOff();
        reject(reason);
      });
    });
  }

  /**
   * Calls `call` after `ms` milliseconds, or `stop` if the signal is aborted before. Calls neither
   * once the returned function was called.
   *
   * @throws The signal's reason if it is already aborted.
   */
  #either(
    { ms, call }: { readonly ms: number; readonly call: () => void },
    signal: StopSignal | undefined,
    stop: (reason: unknown) => void,
  ): () => void {
    throwIfAborted(signal);
    const timer = this.#timer;
    const unlisten = signal && this.#signals.onAbort(signal, stop);
    const entry = timer.after(ms, () => {
      unlisten?.();
      call();
    });
    return () => {
      timer.cancel(entry);
      unlisten?.();
    };
  }
}
