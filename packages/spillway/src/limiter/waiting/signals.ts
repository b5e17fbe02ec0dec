import type { StopSignal } from "../../internal/index.ts";

/** What is called when a signal is aborted. */
type Call = (reason: unknown) => void;

/** Those who wait for a signal, and the listener that they share. */
type Listening = { readonly calls: Set<Call>; readonly listener: () => void };

/**
 * One listener for each signal, however many wait for it: a runtime looks through all listeners of a
 * signal whenever one is added or removed.
 */
export class Signals {
  readonly #listening = new WeakMap<StopSignal, Listening>();

  /** Calls when a signal is aborted, unless the function returned is called before. */
  onAbort(signal: StopSignal, call: Call): () => void {
    const { calls } = this.#listening.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => {
      if (calls.delete(call) && calls.size === 0) this.#unlisten(signal);
    };
  }

  #listen(signal: StopSignal): Listening {
    const calls = new Set<Call>();
    const listener = () => {
      for (const call of calls) call(signal.reason);
    };
    const listening = { calls, listener };
    this.#listening.set(signal, listening);
    signal.addEventListener("abort", listener);
    return listening;
  }

  #unlisten(signal: StopSignal): void {
    const listening = this.#listening.get(signal);
    this.#listening.delete(signal);
    if (listening !== undefined) signal.removeEventListener("abort", listening.listener);
  }
}
