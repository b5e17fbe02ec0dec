import { abilities, after } from "../../internal/index.ts";
import type { Answer, AnswerTo, Command, StoreWithin, Timing } from "../../limits/core/index.ts";
import type { Executor, RequestInfo } from "../port/executor.ts";
import { limitOn } from "../port/limit-on.ts";
import { answerTo, checkExecutor, noOutcome } from "./checked-executor.ts";

/** The properties of a request in a transaction. The caller waits until it ends. */
const REQUEST: RequestInfo = {
  slot: 0,
  isProbe: false,
  isLate: () => false,
  // Other processes do not see the changes before the commit, so nothing is remembered.
  observer: undefined,
};

/**
 * A store whose commands run in the caller's transaction, each at once: it is not shared, and its
 * statements can't wait for the end of a turn. Errors of the database are thrown unchanged.
 *
 * @throws SpillwayError `bad-transaction`
 */
export function direct<M extends Timing>(
  executor: Executor<M>,
  transaction: object,
): StoreWithin<M> {
  const inside = executor.within?.(transaction);
  checkExecutor(inside);
  const { timing } = executor;
  const { register, isOver } = inside as Executor<M>;
  const execute = <C extends Command>(command: C): Answer<M, AnswerTo<C>> => {
    const outcomes = (inside as Executor<M>).execute([command], REQUEST);
    return after(timing, outcomes, (all) =>
      answerTo(command, Array.isArray(all) ? all[0] : noOutcome(all)),
    );
  };
  return {
    timing,
    ...abilities(executor),
    ...(register && { register: (command) => register.call(inside, command, REQUEST.isLate) }),
    ...(isOver && { isOver: isOver.bind(inside as Executor<M>) }),
    execute,
    limit: (ask) => limitOn({ timing, execute }, ask),
  };
}
