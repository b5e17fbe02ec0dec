import type { JobSignal } from "../contracts.ts";

declare const AbortController: new () => {
  readonly signal: JobSignal;
  abort(reason: unknown): void;
};

/** A signal, and what aborts it. */
export function aborting(): { readonly signal: JobSignal; abort(reason: unknown): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}
