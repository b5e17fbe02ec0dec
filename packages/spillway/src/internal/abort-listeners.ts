/** Waiting for signals that many wait for. */
import type { Slices } from "./slices.ts";
import type { StopSignal } from "./stop-signal.ts";

/** What is called when a signal is aborted. */
type Call = (reason: unknown) => void;

/** Those who wait for a signal, and the listener that they share. */
type Listening = { readonly calls: Set<Call>; readonly listener: () => void };

/**
 * One listener for each signal, however many wait for it: a runtime looks through all listeners of a
 * signal whenever one is added or removed.
 */
export class AbortListeners {
  readonly #slices: Slices;
  readonly #listening = new WeakMap<StopSignal, Listening>();

  /** @param slices Keep a signal that many wait for from making all calls in one turn. */
  constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** Calls when a signal is aborted, or soon after, unless the function returned is called before. */
  onAbort(signal: StopSignal, call: Call): () => void {
    const { calls } = this.#listening.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => {
      if (calls.delete(call) && calls.size === 0) this.#unlisten(signal);
    };
  }

  #listen(signal: StopSignal): Listening {
    const calls = new Set<Call>();
    const listener = () => this.#callEach(calls.values(), signal.reason);
    const listening = { calls, listener };
    this.#listening.set(signal, listening);
    signal.addEventListener("abort", listener);
    return listening;
  }

  #callEach(calls: Iterator<Call>, reason: unknown): void {
    const goOn = () => this.#callEach(calls, reason);
    while (this.#slices.permits(goOn)) {
      const { done, value } = calls.next();
      if (done) return;
      value(reason);
    }
  }

  #unlisten(signal: StopSignal): void {
    const listening = this.#listening.get(signal);
    this.#listening.delete(signal);
    if (listening !== undefined) signal.removeEventListener("abort", listening.listener);
  }
}
