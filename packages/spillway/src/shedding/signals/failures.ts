import { notify } from "../../internal/index.ts";

/** Receives the failure of a signal or a cap. Errors that it throws or rejects with are ignored. */
export type OnProblem = (error: Error) => unknown;

/** A failure. Similar failures have the same `kind`. */
export type SignalFailure = { readonly kind: string; readonly error: Error };

/** Reports failures of foreign code: each kind once, until it works again. */
export class Failures {
  readonly #onProblem: OnProblem;
  readonly #known = new Set<string>();

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem;
  }

  /** Reports a failure, unless its kind was reported before. */
  report({ kind, error }: SignalFailure): void {
    if (this.#known.has(kind)) return;
    this.#known.add(kind);
    notify(this.#onProblem, error);
  }

  /** Forgets all failures, because the code works again. */
  forget(): void {
    this.#known.clear();
  }
}

/** Converts a thrown value to an error. Pure. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("the thrown value is not an Error", { cause: thrown });
}
