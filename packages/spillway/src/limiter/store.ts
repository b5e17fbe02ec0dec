import { abandon, after, isThenable, sameMembers } from "../internal/index.ts";
import {
  type Decision,
  type Mode,
  SpillwayError,
  type Store,
  type StoreWithin,
} from "../limits/core/index.ts";

/** A store that always has the direct method `limit`, which is optional in `Store`. */
export type DirectStore<M extends Mode> = StoreWithin<M> & Required<Pick<Store<M>, "limit">>;

const MODES: readonly unknown[] = ["now", "later"] satisfies Mode[];

/** Checks that a value is a store. @throws SpillwayError `bad-store` */
export function checkedStore<M extends Mode>(store: Store<M>): DirectStore<M> {
  const executes = typeof store?.execute === "function";
  if (executes && MODES.includes(store.mode)) return withLimit(store);
  throw new SpillwayError({
    code: "bad-store",
    field: "store",
    value: store,
    isPrivate: true,
    expected: executes ? 'a store whose mode is "now" or "later"' : "a store with a method execute",
    hint: "Pass what memoryStore() returns, not a driver or a class",
  });
}

/** Adds the direct method `limit` to a store that lacks it, by way of a command. */
export function withLimit<M extends Mode>(store: StoreWithin<M>): DirectStore<M> {
  if (store.limit !== undefined) return store as DirectStore<M>;
  const { mode, within } = store;
  const execute: StoreWithin<M>["execute"] = (command) => inMode(mode, store.execute(command));
  return {
    ...sameMembers(store),
    ...(within && { within: within.bind(store) }),
    execute,
    limit: (ask) =>
      after(mode, execute({ verb: "limit", budgets: [ask] }), ([one]) => one as Decision),
  };
}

/**
 * Refuses a promise from a store with mode "now", because nothing would await it. @throws
 * SpillwayError `bad-store`
 */
function inMode<A>(mode: Mode, answer: A): A {
  if (mode === "later" || !isThenable(answer)) return answer;
  abandon(answer);
  throw new SpillwayError({
    code: "bad-store",
    field: "store.execute",
    value: answer,
    isPrivate: true,
    expected: 'an answer at once, as its mode "now" says',
  });
}
