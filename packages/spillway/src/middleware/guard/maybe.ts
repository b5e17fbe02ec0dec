/** Something now, or a promise of it: what is there at once costs no turn of the event loop. */
export type Maybe<T> = T | Promise<T>;

/** Whether it is promised. Pure. */
export function isPromised<T>(value: Maybe<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Goes on with a value, at once where it is there. */
export function chain<A, B>(value: Maybe<A>, next: (value: A) => Maybe<B>): Maybe<B> {
  return isPromised(value) ? value.then(next) : next(value);
}

/** Many as one, in order. */
export function every<T>(values: readonly Maybe<T>[]): Maybe<readonly T[]> {
  return values.some(isPromised) ? Promise.all(values) : (values as readonly T[]);
}
