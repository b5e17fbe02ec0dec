/** A signal, and what aborts it. */
import type { StopSignal } from "../limiter/index.ts";

declare class AbortController {
  readonly signal: StopSignal;
  abort(reason: unknown): void;
}

/** What can be stopped, once. */
export type Stopper = { readonly signal: StopSignal; stop(reason: unknown): void };

/** Makes a signal of its own. */
export function stopper(): Stopper {
  const controller = new AbortController();
  return { signal: controller.signal, stop: (reason) => controller.abort(reason) };
}
