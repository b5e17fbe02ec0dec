/** Several asks, answered as one. */
import { type Awaitable, after, readNow } from "../internal/index.ts";
import type { Answer, Mode } from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import { finish, finished } from "./finish.ts";
import { handOut } from "./hand-out.ts";
import { compensate, holdingsOf, refuseAll } from "./holdings.ts";
import { type JointAsks, joint } from "./joint.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { AnswerOptions } from "./options.ts";

/** Takes from all budgets or from none; what is in flight then is held by one lease. */
export function takeAll<M extends Mode>(
  parts: LimiterParts<M>,
  merged: JointAsks,
  options: AnswerOptions | undefined,
): Answer<M, JointAnswer<M>> {
  if (!merged.hasLeases) return askAll(parts, merged, { verb: "limit", options });
  const asked = readNow();
  const answer = askAll(parts, merged, { verb: "limit", options });
  return after(parts.store.mode as M, answer, (decision): Awaitable<M, JointAnswer<M>> => {
    const holdings = holdingsOf(merged, decision);
    if (!decision.ok || holdings.length === 0) return decision;
    const grant = { decision, holdings, context: parts.leaseContext, asked };
    return handOut<M, JointAnswer<M>>(grant, {
      inTime: (lease) => ({ ...decision, lease }),
      tooLate: (refusal) => {
        compensate(parts.store, merged);
        return finished(parts, refuseAll(merged, decision, refusal), options);
      },
    }) as Awaitable<M, JointAnswer<M>>;
  });
}

/** What is asked of all budgets, and how the answer is given. */
type Manner = {
  readonly verb: "limit" | "check";
  readonly options: AnswerOptions | undefined;
};

/** Asks for all budgets, and makes one answer of many. */
export function askAll<M extends Mode>(
  parts: LimiterParts<M>,
  merged: JointAsks,
  { verb, options }: Manner,
): Answer<M, JointAnswer<M>> {
  const { store, heldTimes } = parts;
  const answers = store.execute({ verb, budgets: merged.asks });
  const whole = after(store.mode as M, answers, (each) => joint<M>(merged, each, heldTimes));
  return finish(parts, whole, options);
}
