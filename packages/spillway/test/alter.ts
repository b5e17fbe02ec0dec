import { after } from "../src/internal/index.ts";
import type { Answer, Command, Store, Timing } from "../src/limits/core/index.ts";
import type { asking } from "../src/testing/asking.ts";

/** Answers in place of a store's, by what is asked; `limit` and `check` for commands on one budget. */
export type Altered<M extends Timing> = {
  // biome-ignore lint/suspicious/noExplicitAny: some answer with what no store does
  [V in keyof ReturnType<typeof asking<M>>]?: (...of: any[]) => any;
};

/** Has a store, which it returns, answer some of its commands otherwise from now on. */
export function alter<M extends Timing, S extends Store<M>>(store: S, altered: Altered<M>): S {
  const execute = store.execute.bind(store) as (command: Command) => Answer<M, unknown>;
  const changed = (command: Command) =>
    answerOf(store.timing, altered, command) ?? [execute(command)];
  store.execute = ((command: Command) => changed(command)[0]) as S["execute"];
  const { limit } = altered;
  if (store.limit !== undefined && limit !== undefined) store.limit = (ask) => limit(ask);
  return store;
}

/** The answer in a list; undefined where the store's own answer stands. */
function answerOf<M extends Timing>(timing: M, altered: Altered<M>, command: Command) {
  const { verb, budgets } = command;
  const [budget] = budgets;
  if (verb === "limit" || verb === "check") {
    const [one, many] = [altered[verb], altered[`${verb}All`]];
    if (budgets.length === 1 && one !== undefined) {
      return [after(timing, one(budget), (answer: unknown) => [answer])];
    }
    return many && [many(budgets)];
  }
  if (verb === "peek") return altered.peek && [altered.peek(budgets)];
  const more =
    "lease" in command
      ? command.lease
      : "plan" in command
        ? command
        : "ms" in command
          ? command.ms
          : undefined;
  const settlement = "settlement" in command ? command.settlement : more;
  return altered[verb] && [altered[verb](budget, settlement)];
}
