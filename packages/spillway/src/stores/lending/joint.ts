import { asAnswer, carriedOut, eachAnswered } from "../../internal/index.ts";
import type { Answer, Ask, Decision, Mode } from "../../limits/core/index.ts";

/** One ask of a call, what of it is here taken out; see `together`. */
export type JointAsk = {
  /** What the store is asked for; undefined where all is here. */
  readonly rest: Ask | undefined;
  /** Answers it, with what the store has said of the rest; `ok` is whether all that was asked together was admitted. */
  readonly end: (decision: Decision | undefined, ok: boolean) => Decision;
  /** The store gave no answer: what was taken out is put back. */
  readonly abandon?: () => void;
};

/** An ask of which nothing is here. */
export function passedOn(ask: Ask): JointAsk {
  return { rest: ask, end: (decision) => decision as Decision };
}

/** Serves several asks together, all or none: what is not here of them is asked of the store, in one call. */
export function together<M extends Mode>(
  mode: M,
  parts: readonly JointAsk[],
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
  if (rests.length === 0) return asAnswer(mode, done([]));
  return carriedOut(mode, () => askStore(rests), { done, fail });
}
