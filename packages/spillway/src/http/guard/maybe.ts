import { callEach, isThenable } from "../../internal/index.ts";

/** Something now, or a promise of it: what is there at once costs no turn of the event loop. */
export type Maybe<T> = T | Promise<T>;

/** Whether it is promised. Pure. */
export function isPromised<T>(value: Maybe<T>): value is Promise<T> {
  return isThenable(value);
}

/** Goes on with a value, at once where it is there. */
export function chain<A, B>(value: Maybe<A>, next: (value: A) => Maybe<B>): Maybe<B> {
  return isPromised(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Calls for each of several, in order, and makes one of what comes. Where a call throws, nobody waits for the earlier ones. */
export function together<F, T>(
  all: readonly F[],
  call: (each: F) => Maybe<T>,
): Maybe<readonly T[]> {
  const values = callEach(all, call);
  return values.some(isPromised) ? Promise.all(values) : (values as readonly T[]);
}
