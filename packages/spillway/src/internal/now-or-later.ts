/**
 * Answers that are there at once or promised, so that what is there costs no turn of the event loop: of a store, whose
 * mode says which, and of a program's functions, which may return either.
 */
import { type Answer, abandon, isThenable, type Mode } from "../limits/core/index.ts";

/** Something now, or a promise of it. */
export type Maybe<T> = T | Promise<T>;

/** Whether it is promised. Pure. */
export function isPromised<T>(value: Maybe<T>): value is Promise<T> {
  return isThenable(value);
}

/** Goes on with a value, at once where it is there. */
export function chain<A, B>(value: Maybe<A>, next: (value: A) => Maybe<B>): Maybe<B> {
  return isPromised(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Makes a call; `fail` receives what it throws, or rejects with. */
export function rescued<T>(call: () => Maybe<T>, fail: (error: unknown) => T): Maybe<T> {
  try {
    const value = call();
    return isPromised(value) ? Promise.resolve(value).catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/** Calls for each of several, in order. Where a call throws, nobody waits for what the earlier ones have promised. */
export function callEach<A, B>(all: readonly A[], call: (each: A) => B): readonly B[] {
  // As long as it will be: one that grows takes more.
  const answers = new Array<B>(all.length);
  try {
    for (let index = 0; index < all.length; index++) answers[index] = call(all[index] as A);
  } catch (error) {
    answers.forEach(abandon);
    throw error;
  }
  return answers;
}

/** Calls for each of several, in order, and makes one of what comes. Where a call throws, nobody waits for the earlier ones. */
export function together<F, T>(
  all: readonly F[],
  call: (each: F) => Maybe<T>,
): Maybe<readonly T[]> {
  const values = callEach(all, call);
  return values.some(isPromised) ? Promise.all(values) : (values as readonly T[]);
}

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

/** What comes of a call, and of one that has failed. */
export type Ends<A, B> = {
  readonly done: (answer: A) => B;
  readonly fail: (error: unknown) => B;
};

/** Makes a call of a store and goes on with its answer, whether that is there at once or promised. */
export function carriedOut<M extends Mode, A, B>(
  mode: M,
  call: () => Answer<M, A>,
  { done, fail }: Ends<A, B>,
): Answer<M, B> {
  let answer: Answer<M, A>;
  try {
    answer = call();
  } catch (error) {
    return (mode === "now" ? fail(error) : Promise.reject(error).catch(fail)) as Answer<M, B>;
  }
  if (mode === "now") return done(answer as A) as Answer<M, B>;
  return (answer as Promise<A>).then(done, fail) as Answer<M, B>;
}

/** What is known here, as an answer of the store's mode. */
export function asAnswer<M extends Mode, T>(mode: M, value: T): Answer<M, T> {
  return (mode === "now" ? value : Promise.resolve(value)) as Answer<M, T>;
}

/** Many answers as one. */
export function all<M extends Mode, T>(
  mode: M,
  answers: readonly Answer<M, T>[],
): Answer<M, readonly T[]> {
  return (mode === "now" ? answers : Promise.all(answers)) as Answer<M, readonly T[]>;
}

/** The answers for each of several, which are asked for in order. Where that throws, no earlier one is waited for. */
export function allOf<M extends Mode, A, T>(
  mode: M,
  list: readonly A[],
  call: (one: A) => Answer<M, T>,
): Answer<M, readonly T[]> {
  return all(mode, callEach(list, call));
}

/** One of several, and the answer to it where it was passed on. */
type Answered<T, A> = { readonly one: T; readonly index: number; readonly answer: A | undefined };

/** Goes through several of which some were passed on; the answers to these are in their order. */
export function eachAnswered<T, A, R>(
  list: readonly T[],
  answers: readonly A[],
  {
    isPassedOn,
    end,
  }: {
    readonly isPassedOn: (one: T, index: number) => boolean;
    readonly end: (answered: Answered<T, A>) => R;
  },
): readonly R[] {
  let next = 0;
  return list.map((one, index) => {
    const answer = isPassedOn(one, index) ? answers[next++] : undefined;
    return end({ one, index, answer });
  });
}
