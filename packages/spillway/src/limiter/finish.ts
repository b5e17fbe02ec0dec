import { after } from "../internal/index.ts";
import {
  type Answer,
  type Decision,
  LONGEST_TIMER,
  later,
  type Random,
  RateLimitError,
  type Timing,
} from "../limits/core/index.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { AnswerOptions } from "./options.ts";

/** The parts of a limiter that its answers need. */
type AnswerContext<M extends Timing> = Pick<LimiterParts<M>, "store" | "random">;

/** Returns an answer as its options require: throws refusals, adds jitter to waits. */
export function finish<M extends Timing, D extends Decision>(
  parts: AnswerContext<M>,
  answer: Answer<M, D>,
  options: AnswerOptions | undefined,
): Answer<M, D> {
  if (options === undefined) return answer;
  const { throws, jitter } = options;
  if (!throws && jitter === undefined) return answer;
  return after(parts.store.timing as M, answer, (decision) => finished(parts, decision, options));
}

/**
 * Does the same for an answer that is not a promise. @throws RateLimitError for a refusal, with
 * `throws`
 */
export function finished<D extends Decision>(
  { random }: Pick<AnswerContext<Timing>, "random">,
  decision: D,
  options: AnswerOptions = {},
): D {
  const { throws, jitter } = options;
  const final = jitter === undefined ? decision : spread(decision, { random, jitter });
  if (throws && !final.ok) throw new RateLimitError(final);
  return final;
}

/** A source of random numbers, and the maximum addition to a wait, in milliseconds. */
type Jitter = { readonly random: Random; readonly jitter: number };

/**
 * Returns a decision with a random addition to its wait, if it has one. A start stays within reach
 * of a timer.
 */
export function spread<D extends Decision>(decision: D, { random, jitter }: Jitter): D {
  const { ok, retryAfter: wait } = decision;
  if (wait === 0) return decision;
  const drawn = Math.floor(random() * (jitter + 1));
  return later(
    decision,
    ok && wait <= LONGEST_TIMER ? Math.min(drawn, LONGEST_TIMER - wait) : drawn,
  );
}
