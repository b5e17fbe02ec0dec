/** Wraps signals that a program implements itself, whose members may throw. */
import { abandon } from "../limits/core/index.ts";
import type { StopSignal } from "./stop-signal.ts";

declare const AbortSignal: (new () => StopSignal) | undefined;

/** One wrapper for each signal, shared by all its listeners. */
const made = new WeakMap<StopSignal, StopSignal>();

/**
 * Returns a signal that behaves the same and never throws. The runtime's own signals are returned
 * unchanged.
 *
 * A signal that can't be read counts as not aborted. A signal that does not accept listeners never
 * aborts; waits then end by their own timeout.
 */
export function safeSignal(signal: StopSignal): StopSignal {
  if (typeof AbortSignal === "function" && signal instanceof AbortSignal) return signal;
  const known = made.get(signal) ?? new SafeSignal(signal);
  made.set(signal, known);
  return known;
}

class SafeSignal implements StopSignal {
  readonly #signal: StopSignal;

  constructor(signal: StopSignal) {
    this.#signal = signal;
  }

  get aborted(): boolean {
    const aborted = tryCall(() => this.#signal.aborted);
    if (aborted !== true) abandon(aborted);
    return aborted === true;
  }

  get reason(): unknown {
    return tryCall(() => this.#signal.reason);
  }

  addEventListener(type: "abort", listener: () => void): void {
    abandon(tryCall(() => this.#signal.addEventListener(type, listener)));
  }

  removeEventListener(type: "abort", listener: () => void): void {
    abandon(tryCall(() => this.#signal.removeEventListener(type, listener)));
  }
}

function tryCall<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    // Foreign code may throw anything.
    return undefined;
  }
}
