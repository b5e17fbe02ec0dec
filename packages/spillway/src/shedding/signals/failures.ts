import { notify } from "../../internal/index.ts";

/** Receives that a signal failed. What it throws, or rejects with, is ignored. */
export type OnProblem = (error: Error) => unknown;

/** A failure; `kind` is the same for failures that are alike. */
export type SignalFailure = { readonly kind: string; readonly error: Error };

/** Reports failures of code that is not ours: each kind once, until it works again. */
export class Failures {
  readonly #onProblem: OnProblem;
  readonly #known = new Set<string>();

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem;
  }

  /** Reports a failure, if that is not known yet. */
  report({ kind, error }: SignalFailure): void {
    if (this.#known.has(kind)) return;
    this.#known.add(kind);
    notify(this.#onProblem, error);
  }

  /** All is well again. */
  forget(): void {
    this.#known.clear();
  }
}

/** Converts a thrown value to an error. Pure. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("what was thrown is no error", { cause: thrown });
}
