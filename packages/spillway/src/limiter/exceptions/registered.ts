/** Keeps the register of a store in step with the exceptions of its keys. */
import { after, systemRandom } from "../../internal/index.ts";
import {
  type Answer,
  abandon,
  type Budget,
  FULL_STORES,
  HOUR,
  type RegisterEntry,
  SpillwayError,
  type Store,
  type Timing,
  type Value,
} from "../../limits/core/index.ts";
import { type ExceptionType, idOf, rangeOfKey } from "./ids.ts";

/** An exception of a key, which begins or ends. */
export type KeyChange = { readonly budget: Budget; readonly type: ExceptionType };

/** An exception that begins. */
export type Beginning = KeyChange & {
  /** Empty for none. */
  readonly reason: string;
  readonly ms: number;
};

/** Entries are kept this much longer than exceptions, so that no clock that steps loses one. */
const SPARE = HOUR;
const LAST_REVISION = 2 ** 52;

/**
 * Begins an exception, and writes its entry after that; across a network also at the same time.
 *
 * Both are sent at once, so a call that is made next finds the exception, and its entry is there if
 * this process ends before the answer. A call that ends an earlier exception of the key may have
 * removed that entry. It has not seen the one that is written afterwards.
 *
 * @throws SpillwayError `no-register` if there is a reason and no place for it
 */
export function begun<M extends Timing>(
  store: Store<M>,
  { budget, type, reason, ms }: Beginning,
  begin: () => Answer<M, undefined>,
): Answer<M, void> {
  const timing: M = store.timing;
  if (store.register === undefined && reason === "") return begin();
  const register = registerOf(store, budget.plan.limit);
  const put = () =>
    register({ verb: "put", entry: newEntry(budget, type, reason), ms: ms + SPARE });
  if (timing === "now") return after(timing, begin(), put);
  const first = put();
  // If the entry fails, the error is thrown once the exception has begun.
  abandon(first);
  return after(
    timing,
    after(timing, begin(), () => first),
    put,
  );
}

/**
 * Ends an exception at once, and removes its entry after that.
 *
 * The entry is read, then the state. An entry of an exception that began meanwhile stays: either
 * the state has it, or its second entry is still to come.
 */
export function ended<M extends Timing>(
  store: Store<M>,
  { budget, type }: KeyChange,
  end: () => Answer<M, undefined>,
): Answer<M, void> {
  const timing: M = store.timing;
  if (store.register === undefined) return end();
  const register = registerOf(store, budget.plan.limit);
  return after(timing, end(), () => {
    const known = register({ verb: "list", ...rangeOfKey(budget), most: 2 });
    return after(timing, known, (entries) => {
      const entry = entries.find(({ id }) => id === idOf(budget, type));
      if (entry === undefined) return;
      const { id, revision } = entry;
      return after(timing, store.execute({ verb: "value", budgets: [budget] }), (value) =>
        endsAfter(type, value) === 0 ? register({ verb: "remove", id, revision }) : undefined,
      );
    });
  });
}

/** Returns the milliseconds until an exception ends; 0 if a key has none of this type. */
export function endsAfter(
  type: ExceptionType,
  { blockedFor, penalized, overriddenFor = 0 }: Value,
): number {
  if (type === "override") return overriddenFor;
  return penalized ? 0 : blockedFor;
}

/**
 * Returns the register of a store, whose errors name the limit. @throws SpillwayError
 * `no-register`
 */
export function registerOf<M extends Timing>(
  store: Store<M>,
  limit: string | undefined,
): NonNullable<Store<M>["register"]> {
  const { register } = store;
  if (register !== undefined) {
    return (command) => register.call(store, { ...command, limit } as typeof command);
  }
  throw new SpillwayError({
    code: "no-register",
    limit,
    field: "store.register",
    value: undefined,
    expected: "a store that keeps the reasons of blocks and overrides",
    hint: FULL_STORES,
  });
}

function newEntry(budget: Budget, type: ExceptionType, reason: string): RegisterEntry {
  const revision = 1 + Math.floor(systemRandom() * LAST_REVISION);
  return { id: idOf(budget, type), reason, revision };
}
