/** What is called when a signal is aborted. */
type Call = (reason: unknown) => void;

/**
 * One listener for each signal, however many wait for it: a runtime looks through all listeners of a signal
 * whenever one is added or removed.
 */
export class Signals {
  readonly #calls = new WeakMap<AbortSignal, Set<Call>>();

  /** Calls when a signal is aborted, unless the function returned is called before. */
  onAbort(signal: AbortSignal, call: Call): () => void {
    const calls = this.#calls.get(signal) ?? this.#listen(signal);
    calls.add(call);
    return () => calls.delete(call);
  }

  #listen(signal: AbortSignal): Set<Call> {
    const calls = new Set<Call>();
    this.#calls.set(signal, calls);
    const abort = () => {
      for (const call of calls) call(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    return calls;
  }
}
