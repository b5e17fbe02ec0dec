import { after } from "../../internal/index.ts";
import type {
  Answer,
  AnswerTo,
  Command,
  Decision,
  Mode,
  StoreWithin,
} from "../../limits/core/index.ts";
import type { Executor, RequestInfo } from "../port/executor.ts";
import { answerTo, checkExecutor, noOutcome } from "./checked-executor.ts";

/** What is known of a request in a transaction: whoever has begun that waits until it ends. */
const REQUEST: RequestInfo = {
  slot: 0,
  isProbe: false,
  isLate: () => false,
  // What it has taken is not known to others before it commits: nothing is remembered of it.
  observer: undefined,
};

/**
 * A store whose commands are carried out in a transaction of the caller's, each at once: it is not
 * shared, nor may its statements wait for a turn to end. Errors of the database are thrown as they are.
 *
 * @throws SpillwayError `bad-transaction`
 */
export function direct<M extends Mode>(executor: Executor<M>, transaction: object): StoreWithin<M> {
  const inside = executor.within?.(transaction);
  checkExecutor(inside);
  const { mode } = executor;
  const { isOver } = inside as Executor<M>;
  const execute = <C extends Command>(command: C): Answer<M, AnswerTo<C>> => {
    const outcomes = (inside as Executor<M>).execute([command], REQUEST);
    return after(mode, outcomes, (all) =>
      answerTo(command, Array.isArray(all) ? all[0] : noOutcome(all)),
    );
  };
  return {
    mode,
    ...(isOver && { isOver: isOver.bind(inside as Executor<M>) }),
    execute,
    limit: (ask) =>
      after(mode, execute({ verb: "limit", budgets: [ask] }), ([one]) => one as Decision),
  };
}
