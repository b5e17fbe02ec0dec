import type { Answer, AnswerTo, Command, Mode, Store } from "../../core/index.ts";
import { after } from "../../core/index.ts";
import type { Executor, Outcome, RequestInfo } from "./executor.ts";

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
export function direct<M extends Mode>(executor: Executor<M>, transaction: object): Store<M> {
  const joined = executor.within?.(transaction) as Executor<M>;
  return {
    mode: joined.mode,
    execute<C extends Command>(command: C): Answer<M, AnswerTo<C>> {
      const outcomes = joined.execute([command], REQUEST);
      return after(joined.mode, outcomes, ([outcome]) => answerOf<AnswerTo<C>>(outcome));
    },
  };
}

/** The answer to a command. @throws what came instead */
export function answerOf<T>(outcome: Outcome | undefined): T {
  if (outcome && "answer" in outcome) return outcome.answer as T;
  throw errorOf(outcome);
}

/** Why a command has no answer. */
export function errorOf(outcome: Exclude<Outcome, { answer: unknown }> | undefined): Error {
  return outcome?.error ?? new Error("the command has neither an answer nor an error");
}
