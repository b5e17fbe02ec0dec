/** Signals that end waiting, or work: the runtime's own, as far as they are needed here. */

/** What is needed of an `AbortSignal`. */
export type StopSignal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** The runtime's own `AbortSignal`, where the program's types know it. */
export type LostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : StopSignal;

/** A signal, and what aborts it. */
export type Stopper = { readonly signal: LostSignal; stop(reason: unknown): void };

declare const AbortController: new () => {
  readonly signal: LostSignal;
  abort(reason: unknown): void;
};

/** Makes a signal, an `AbortSignal` of the runtime's. */
export function stopper(): Stopper {
  const controller = new AbortController();
  return { signal: controller.signal, stop: (reason) => controller.abort(reason) };
}

/** @throws The signal's reason, where it is aborted already. */
export function throwIfAborted(signal: StopSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Whether a value is a signal that can be listened to. Pure. */
export function isSignal(value: unknown): value is StopSignal {
  const signal = value as Partial<StopSignal> | null;
  const listens = typeof signal?.addEventListener === "function";
  return listens && typeof signal?.removeEventListener === "function" && "aborted" in signal;
}
