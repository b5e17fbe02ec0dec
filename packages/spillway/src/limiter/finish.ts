import { after } from "../internal/index.ts";
import {
  type Answer,
  type Decision,
  LONGEST_TIMER,
  later,
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
  const final = jitter === undefined ? decision : spread(decision, { random, jitter });
  if (throws && !final.ok) throw new RateLimitError(final);
  return final;
}

/** By how much waits are spread, at most, in milliseconds. */
type Jitter = { readonly random: Random; readonly jitter: number };

/** The same decision with its wait, if it has one, made longer by chance. A timer can still wait for a start. */
export function spread<D extends Decision>(decision: D, { random, jitter }: Jitter): D {
  const { ok, retryAfter: wait } = decision;
  if (wait === 0) return decision;
  const drawn = Math.floor(random() * (jitter + 1));
  return later(
    decision,
    ok && wait <= LONGEST_TIMER ? Math.min(drawn, LONGEST_TIMER - wait) : drawn,
  );
}
