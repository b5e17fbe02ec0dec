/** Calls functions when a signal aborts, for signals that many calls share. */
import type { Slices } from "./slices.ts";
import type { StopSignal } from "./stop-signal.ts";

/** Called when a signal aborts. */
type AbortListener = (reason: unknown) => void;

/** The functions to call when a signal aborts, and the one listener that they share. */
type SignalListeners = { readonly calls: Set<AbortListener>; readonly listener: () => void };

/**
 * Adds only one listener to each signal, which calls any number of functions.
 *
 * A runtime searches all listeners of a signal whenever one is added or removed.
 */
export class AbortListeners {
  readonly #slices: Slices;
  readonly #listening = new WeakMap<StopSignal, SignalListeners>();

  /** @param slices Prevents a signal from making too many calls in one turn of the event loop. */
  constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** Calls a function when a signal aborts, or soon after. The returned function cancels this. */
  onAbort(signal: StopSignal, call: AbortListener): () => void {
    const { calls } = this.#listening.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => {
      if (calls.delete(call) && calls.size === 0) this.#unlisten(signal);
    };
  }

  #listen(signal: StopSignal): SignalListeners {
    const calls = new Set<AbortListener>();
    const listener = () => this.#callEach(calls.values(), signal.reason);
    const listening = { calls, listener };
    this.#listening.set(signal, listening);
    signal.addEventListener("abort", listener);
    return listening;
  }

  #callEach(calls: Iterator<AbortListener>, reason: unknown): void {
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
