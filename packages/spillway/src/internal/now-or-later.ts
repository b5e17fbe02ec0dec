/**
 * Handles answers that are either values or promises, so that a value costs no turn of the event
 * loop.
 *
 * A store's timing determines which of the two it returns. A program's functions may return either.
 */
import { type Answer, abandon, isThenable, type Timing } from "../limits/core/index.ts";

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value is a promise. Pure. */
export function isPromised<T>(value: MaybePromise<T>): value is Promise<T> {
  return isThenable(value);
}

/** Passes a value to `next`: at once, or after its promise is fulfilled. */
export function chain<A, B>(
  value: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>,
): MaybePromise<B> {
  return isPromised(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Calls a function and passes an error, thrown or rejected, to `fail`. */
export function rescued<T>(
  call: () => MaybePromise<T>,
  fail: (error: unknown) => T,
): MaybePromise<T> {
  try {
    const value = call();
    return isPromised(value) ? Promise.resolve(value).catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/**
 * Calls a function for each item, in order. If one call throws, the promises of earlier calls are
 * abandoned.
 */
export function callEach<A, B>(all: readonly A[], call: (each: A) => B): readonly B[] {
  // Allocated at its final length: an array that grows takes more memory.
  const answers = new Array<B>(all.length);
  try {
    for (let index = 0; index < all.length; index++) answers[index] = call(all[index] as A);
  } catch (error) {
    answers.forEach(abandon);
    throw error;
  }
  return answers;
}

/**
 * Calls a function for each item, in order, and joins the answers. If one call throws, earlier
 * promises are abandoned.
 */
export function together<F, T>(
  all: readonly F[],
  call: (each: F) => MaybePromise<T>,
): MaybePromise<readonly T[]> {
  const values = callEach(all, call);
  return values.some(isPromised) ? Promise.all(values) : (values as readonly T[]);
}

/** A value, or an answer in the store's timing. */
export type Awaitable<M extends Timing, T> = Answer<M, T> | T;

/**
 * Passes an answer to `next`: at once with timing "now", else after its promise is fulfilled.
 *
 * `next` may return an answer itself. If the promise rejects, `otherwise` is called.
 */
export function after<M extends Timing, A, B>(
  timing: M,
  answer: Answer<M, A>,
  next: (a: A) => Awaitable<M, B>,
  otherwise?: () => B,
): Answer<M, B> {
  if (timing === "now") return next(answer as A) as Answer<M, B>;
  return Promise.resolve(answer as Promise<A>).then(next, otherwise) as Answer<M, B>;
}

/** Receives the outcome of a call: its answer, or its error. */
export type Continuation<A, B> = {
  readonly done: (answer: A) => B;
  readonly fail: (error: unknown) => B;
};

/** Calls a store and passes its answer to `done`, or its error to `fail`, in either timing. */
export function carriedOut<M extends Timing, A, B>(
  timing: M,
  call: () => Answer<M, A>,
  { done, fail }: Continuation<A, B>,
): Answer<M, B> {
  let answer: Answer<M, A>;
  try {
    answer = call();
  } catch (error) {
    return (timing === "now" ? fail(error) : Promise.reject(error).catch(fail)) as Answer<M, B>;
  }
  if (timing === "now") return done(answer as A) as Answer<M, B>;
  return (answer as Promise<A>).then(done, fail) as Answer<M, B>;
}

/** Converts a known value to an answer in the store's timing. */
export function asAnswer<M extends Timing, T>(timing: M, value: T): Answer<M, T> {
  return (timing === "now" ? value : Promise.resolve(value)) as Answer<M, T>;
}

/** Joins many answers to one. */
export function all<M extends Timing, T>(
  timing: M,
  answers: readonly Answer<M, T>[],
): Answer<M, readonly T[]> {
  return (timing === "now" ? answers : Promise.all(answers)) as Answer<M, readonly T[]>;
}

/**
 * Calls a store for each item, in order, and joins the answers. If one call throws, earlier
 * promises are abandoned.
 */
export function allOf<M extends Timing, A, T>(
  timing: M,
  list: readonly A[],
  call: (one: A) => Answer<M, T>,
): Answer<M, readonly T[]> {
  return all(timing, callEach(list, call));
}

/** An item, and the answer to it if it was passed on. */
type IndexedAnswer<T, A> = {
  readonly one: T;
  readonly index: number;
  readonly answer: A | undefined;
};

/**
 * Calls `end` for each item with its answer, if it was passed on. `answers` are in the order of the
 * items passed on.
 */
export function eachAnswered<T, A, R>(
  list: readonly T[],
  answers: readonly A[],
  {
    isPassedOn,
    end,
  }: {
    readonly isPassedOn: (one: T, index: number) => boolean;
    readonly end: (answered: IndexedAnswer<T, A>) => R;
  },
): readonly R[] {
  let next = 0;
  return list.map((one, index) => {
    const answer = isPassedOn(one, index) ? answers[next++] : undefined;
    return end({ one, index, answer });
  });
}
