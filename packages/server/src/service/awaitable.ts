/** An answer that is there at once, from a store in this process, or later, from one far away. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with an answer: at once, where it is there at once. */
export function after<T, R>(answer: Awaitable<T>, next: (answer: T) => Awaitable<R>): Awaitable<R> {
  return answer instanceof Promise ? answer.then(next) : next(answer);
}

/** Several answers: at once, where all are there at once. */
export function all<T>(answers: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  const isLater = answers.some((answer) => answer instanceof Promise);
  return isLater ? Promise.all(answers) : (answers as readonly T[]);
}
