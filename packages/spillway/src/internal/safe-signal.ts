/** Signals of a program's own making, whose members may throw. */
import { abandon } from "../limits/core/index.ts";
import type { StopSignal } from "./stop-signal.ts";

declare const AbortSignal: (new () => StopSignal) | undefined;

/** Whoever listens to one signal shares it, so that there is one for each. */
const made = new WeakMap<StopSignal, StopSignal>();

/**
 * The same signal, and nothing of it throws: one that can't be read is not aborted, and one that
 * can't be listened to aborts nothing by itself. What waits for it ends in its own time. The
 * runtime's own are returned as they are.
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
    const aborted = attempted(() => this.#signal.aborted);
    if (aborted !== true) abandon(aborted);
    return aborted === true;
  }

  get reason(): unknown {
    return attempted(() => this.#signal.reason);
  }

  addEventListener(type: "abort", listener: () => void): void {
    abandon(attempted(() => this.#signal.addEventListener(type, listener)));
  }

  removeEventListener(type: "abort", listener: () => void): void {
    abandon(attempted(() => this.#signal.removeEventListener(type, listener)));
  }
}

function attempted<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    // Foreign code may throw anything.
    return undefined;
  }
}
