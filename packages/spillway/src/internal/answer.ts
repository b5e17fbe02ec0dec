import type { Answer, Mode } from "../core/index.ts";

/** A value, or an answer of the store's mode. */
export type Awaitable<M extends Mode, T> = Answer<M, T> | T;

/**
 * Goes on with an answer: at once where it is there, later where it is promised. What comes next may
 * be an answer itself. Where a promise is broken, `otherwise` is the last resort.
 */
export function after<M extends Mode, A, B>(
  mode: M,
  answer: Answer<M, A>,
  next: (a: A) => Awaitable<M, B>,
  otherwise?: () => B,
): Answer<M, B> {
  if (mode === "now") return next(answer as A) as Answer<M, B>;
  return Promise.resolve(answer as Promise<A>).then(next, otherwise) as Answer<M, B>;
}

/** Many answers as one. */
export function all<M extends Mode, T>(
  mode: M,
  answers: readonly Answer<M, T>[],
): Answer<M, readonly T[]> {
  return (mode === "now" ? answers : Promise.all(answers)) as Answer<M, readonly T[]>;
}
