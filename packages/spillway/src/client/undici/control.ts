/**
 * The controller that a caller of undici has for a request: across all attempts, and before the
 * first.
 */
import type { StopSignal } from "../../internal/index.ts";

/** The parts of undici's `DispatchController` that are used. */
export type UndiciController = {
  pause(): void;
  resume(): void;
  abort?(reason: unknown): void;
  readonly rawHeaders?: unknown;
  readonly rawTrailers?: unknown;
};

/** A controller that exists while a request still waits, with a signal that ends the wait. */
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

  /** The state of this controller as an `AbortSignal`. */
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

  /** Called when an attempt begins, which has a controller of its own. */
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
