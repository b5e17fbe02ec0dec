/** Keeps the register of a store in step with the exceptions of its keys. */
import { after, systemRandom } from "../../internal/index.ts";
import {
  type Answer,
  type Budget,
  HOUR,
  type RegisterEntry,
  SpillwayError,
  type Store,
  type Timing,
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
 * Begins an exception that the register knows from before it takes effect.
 *
 * The entry is written once more after that. A call that ends the exception in between may have
 * removed the first one; it can't know the second, because it has read the entry earlier.
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
  const entry = newEntry(budget, type, reason);
  const first = register({ verb: "put", entry, ms: ms + SPARE, replaces: 0 });
  return after(timing, first, () =>
    after(timing, begin(), () =>
      register({
        verb: "put",
        entry: newEntry(budget, type, reason),
        ms: ms + SPARE,
        replaces: entry.revision,
      }),
    ),
  );
}

/**
 * Ends an exception, and removes its entry after that.
 *
 * The entry is read first, and only that one is removed: another one belongs to an exception that
 * may have begun since.
 */
export function ended<M extends Timing>(
  store: Store<M>,
  { budget, type }: KeyChange,
  end: () => Answer<M, undefined>,
): Answer<M, void> {
  const timing: M = store.timing;
  if (store.register === undefined) return end();
  const register = registerOf(store, budget.plan.limit);
  const known = register({ verb: "list", ...rangeOfKey(budget), most: 2 });
  return after(timing, known, (entries) => {
    const entry = entries.find(({ id }) => id === idOf(budget, type));
    if (entry === undefined) return end();
    const { id, revision } = entry;
    return after(timing, end(), () => register({ verb: "remove", id, revision }));
  });
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
    hint: "Use the store for memory, SQLite, Postgres or Redis, without regions",
  });
}

function newEntry(budget: Budget, type: ExceptionType, reason: string): RegisterEntry {
  const revision = 1 + Math.floor(systemRandom() * LAST_REVISION);
  return { id: idOf(budget, type), reason, revision };
}
