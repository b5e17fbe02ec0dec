/** Signals that end a wait or work: the used part of the runtime's own. */

/** The members used of an `AbortSignal`. */
export type StopSignal = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** The runtime's own `AbortSignal`, if the program's types include it. */
export type LostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : StopSignal;

/** A signal, and the function that aborts it. */
export type Stopper = { readonly signal: LostSignal; stop(reason: unknown): void };

declare const AbortController: new () => {
  readonly signal: LostSignal;
  abort(reason: unknown): void;
};

/** Creates a signal, which is an `AbortSignal` of the runtime. */
export function stopper(): Stopper {
  const controller = new AbortController();
  return { signal: controller.signal, stop: (reason) => controller.abort(reason) };
}

/** Throws the signal's reason if it is aborted already. */
export function throwIfAborted(signal: StopSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Whether a value is a signal that accepts listeners. Pure. */
export function isSignal(value: unknown): value is StopSignal {
  const signal = value as Partial<StopSignal> | null;
  const listens = typeof signal?.addEventListener === "function";
  return listens && typeof signal?.removeEventListener === "function" && "aborted" in signal;
}
