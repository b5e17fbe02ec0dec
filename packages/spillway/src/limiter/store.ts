import { type Answer, type Mode, SpillwayError, type Store } from "../core/index.ts";

const METHODS = [
  "limit",
  "check",
  "limitAll",
  "checkAll",
  "settle",
  "value",
  "look",
  "reset",
  "block",
  "unblock",
] as const;
const MODES: readonly unknown[] = ["now", "later"] satisfies Mode[];

/** @throws SpillwayError `bad-store` */
export function checkStore<S extends Store>(store: S): S {
  const missing = METHODS.find((method) => typeof store?.[method] !== "function");
  if (missing === undefined && MODES.includes(store.mode)) return store;
  throw new SpillwayError({
    code: "bad-store",
    field: "store",
    value: store,
    expected:
      missing === undefined
        ? 'a store whose mode is "now" or "later"'
        : `a store, which has a method ${missing}`,
    hint: "Pass what memoryStore() returns, not a driver or a class",
  });
}

/**
 * Goes on with an answer: at once where it is there, later where it is promised. What comes next may
 * be an answer itself. Where a promise is broken, `otherwise` is the last resort.
 */
export function after<M extends Mode, A, B>(
  mode: M,
  answer: Answer<M, A>,
  next: (a: A) => Answer<M, B> | B,
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
