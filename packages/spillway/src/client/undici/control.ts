/** What a caller of undici holds of a request, whichever attempt is under way; before the first, too. */
import type { StopSignal } from "../../internal/index.ts";

/** What is needed of undici's `DispatchController`. */
export type UndiciController = {
  pause(): void;
  resume(): void;
  abort?(reason: unknown): void;
  readonly rawHeaders?: unknown;
  readonly rawTrailers?: unknown;
};

/** A controller that is there while a request waits, and a signal for those who wait with it. */
export class UndiciControl implements UndiciController {
  #real: UndiciController | undefined;
  readonly #listeners = new Set<() => void>();
  paused = false;
  aborted = false;
  reason: unknown = null;

  get rawHeaders(): unknown {
    return this.#real?.rawHeaders ?? null;
  }

  get rawTrailers(): unknown {
    return this.#real?.rawTrailers ?? null;
  }

  /** The same as an `AbortSignal`. */
  readonly signal: StopSignal = ((control: UndiciControl) => ({
    get aborted() {
      return control.aborted;
    },
    get reason() {
      return control.reason;
    },
    addEventListener: (_: "abort", call: () => void) => void control.#listeners.add(call),
    removeEventListener: (_: "abort", call: () => void) => void control.#listeners.delete(call),
  }))(this);

  /** An attempt is under way, with a controller of its own. */
  begin(real: UndiciController): void {
    this.#real = real;
    if (this.aborted) real.abort?.(this.reason);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const call of [...this.#listeners]) call();
    this.#real?.abort?.(reason);
  }

  pause(): void {
    this.paused = true;
    this.#real?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#real?.resume();
  }
}
