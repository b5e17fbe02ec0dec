import { abandon, after, isThenable, sameMembers } from "../internal/index.ts";
import {
  type Decision,
  SpillwayError,
  type Store,
  type StoreWithin,
  type Timing,
} from "../limits/core/index.ts";

/** A store that always has the direct method `limit`, which is optional in `Store`. */
export type DirectStore<M extends Timing> = StoreWithin<M> & Required<Pick<Store<M>, "limit">>;

const TIMINGS: readonly unknown[] = ["now", "later"] satisfies Timing[];

/** Checks that a value is a store. @throws SpillwayError `bad-store` */
export function checkedStore<M extends Timing>(store: Store<M>): DirectStore<M> {
  const executes = typeof store?.execute === "function";
  if (executes && TIMINGS.includes(store.timing)) return withLimit(store);
  throw new SpillwayError({
    code: "bad-store",
    field: "store",
    value: store,
    isPrivate: true,
    expected: executes
      ? 'a store whose timing is "now" or "later"'
      : "a store with a method execute",
    hint: "Pass what memoryStore() returns, not a driver or a class",
  });
}

/** Adds the direct method `limit` to a store that lacks it, by way of a command. */
export function withLimit<M extends Timing>(store: StoreWithin<M>): DirectStore<M> {
  if (store.limit !== undefined) return store as DirectStore<M>;
  const { timing, within } = store;
  const execute: StoreWithin<M>["execute"] = (command) => inTiming(timing, store.execute(command));
  return {
    ...sameMembers(store),
    ...(within && { within: within.bind(store) }),
    execute,
    limit: (ask) =>
      after(timing, execute({ verb: "limit", budgets: [ask] }), ([one]) => one as Decision),
  };
}

/**
 * Refuses a promise from a store with timing "now", because nothing would await it. @throws
 * SpillwayError `bad-store`
 */
function inTiming<A>(timing: Timing, answer: A): A {
  if (timing === "later" || !isThenable(answer)) return answer;
  abandon(answer);
  throw new SpillwayError({
    code: "bad-store",
    field: "store.execute",
    value: answer,
    isPrivate: true,
    expected: 'an answer at once, as its timing "now" says',
  });
}
