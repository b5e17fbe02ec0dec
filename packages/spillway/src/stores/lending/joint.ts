import { asAnswer, carriedOut, eachAnswered } from "../../internal/index.ts";
import type { Answer, Ask, Decision, Timing } from "../../limits/core/index.ts";

/** One ask of a joint call, after the part that is held here has been taken out; see `together`. */
export type HeldJointAsk = {
  /** The remaining ask for the store; undefined if all is held here. */
  readonly rest: Ask | undefined;
  /**
   * Returns the decision from the store's decision on the rest. `ok` is whether the whole call was
   * admitted.
   */
  readonly end: (decision: Decision | undefined, ok: boolean) => Decision;
  /** Puts back what was taken out, because the store gave no answer. */
  readonly abandon?: () => void;
};

/** Returns an ask of which nothing is held here. */
export function passedOn(ask: Ask): HeldJointAsk {
  return { rest: ask, end: (decision) => decision as Decision };
}

/**
 * Serves several asks together, all or none. The store decides on the rest, in one call.
 */
export function together<M extends Timing>(
  timing: M,
  parts: readonly HeldJointAsk[],
  askStore: (rests: readonly Ask[]) => Answer<M, readonly Decision[]>,
): Answer<M, readonly Decision[]> {
  const rests = parts.flatMap(({ rest }) => rest ?? []);
  const done = (decisions: readonly Decision[]) => {
    const ok = decisions.every((one) => one.ok);
    return eachAnswered(parts, decisions, {
      isPassedOn: ({ rest }) => rest !== undefined,
      end: ({ one, answer }) => one.end(answer, ok),
    });
  };
  const fail = (error: unknown): never => {
    for (const part of parts) part.abandon?.();
    throw error;
  };
  if (rests.length === 0) return asAnswer(timing, done([]));
  return carriedOut(timing, () => askStore(rests), { done, fail });
}
