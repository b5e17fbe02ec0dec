import { after } from "../internal/index.ts";
import {
  type Answer,
  type Decision,
  LONGEST_TIMER,
  type Mode,
  type Random,
  RateLimitError,
} from "../limits/core/index.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { AnswerOptions } from "./options.ts";

/** What is needed to give an answer as its options want it. */
type Finish<M extends Mode> = Pick<LimiterParts<M>, "store" | "random">;

/** Gives an answer as its options want it: a refusal thrown, a wait spread. */
export function finish<M extends Mode, D extends Decision>(
  parts: Finish<M>,
  answer: Answer<M, D>,
  options: AnswerOptions | undefined,
): Answer<M, D> {
  if (options === undefined) return answer;
  const { throws, jitter } = options;
  if (!throws && jitter === undefined) return answer;
  return after(parts.store.mode as M, answer, (decision) => finished(parts, decision, options));
}

/** The same for an answer that is there. @throws RateLimitError for a refusal, with `throws` */
export function finished<D extends Decision>(
  { random }: Pick<Finish<Mode>, "random">,
  decision: D,
  options: AnswerOptions = {},
): D {
  const { throws, jitter } = options;
  const isFinal = jitter === undefined || decision.retryAfter === 0;
  const final = isFinal ? decision : later(decision, drawn(decision, { random, jitter }));
  if (throws && !final.ok) throw new RateLimitError(final);
  return final;
}

/** By how much a wait is longer: a start that a timer can wait for stays one. */
function drawn(
  { ok, retryAfter }: Decision,
  { random, jitter }: { random: Random; jitter: number },
) {
  const ms = Math.floor(random() * (jitter + 1));
  return ok && retryAfter <= LONGEST_TIMER ? Math.min(ms, LONGEST_TIMER - retryAfter) : ms;
}

/** A decision whose wait is longer by so many milliseconds: an estimate is put off with the wait that it is of. Pure. */
export function later<D extends Decision>(decision: D, ms: number): D {
  const retryAfter = decision.retryAfter + ms;
  const { estimatedRetryAfter: estimate } = decision;
  if (estimate === undefined) return { ...decision, retryAfter };
  return { ...decision, retryAfter, estimatedRetryAfter: estimate + ms };
}
