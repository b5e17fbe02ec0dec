/** From a command and its answer to what is reported of it. Pure. */
import type { Ask, Budget, Command, Decision } from "../../limits/core/index.ts";
import type { CallOutcome, CallResult } from "./store-call.ts";

/** What is reported of keys. */
export type Shown = { readonly keys: boolean };

/** What came of a command that was answered. */
export function outcomesOf(command: Command, answer: unknown, shown: Shown): CallOutcome[] {
  const { verb, budgets } = command;
  if (verb === "limit" || verb === "check") {
    const isTaking = verb === "limit";
    const decisions = answer as readonly Decision[];
    const isWhole = decisions.every(({ ok }) => ok);
    return command.budgets.map((ask, place) =>
      decided(ask, decisions[place] as Decision, { ...shown, isTaking, isWhole }),
    );
  }
  if (verb === "release" || verb === "renew") {
    const { count } = command.lease;
    return [{ ...plain(budgets[0] as Budget, answer ? "held" : "over", shown), count }];
  }
  return budgets.map((budget) => plain(budget, "done", shown));
}

/** What came of a command that has no answer. */
export function failuresOf({ budgets }: Command, shown: Shown): CallOutcome[] {
  return budgets.map((budget) => {
    const { count = 0 } = budget as Partial<Ask>;
    return { ...plain(budget, "failed", shown), count };
  });
}

type Deciding = Shown & {
  readonly isTaking: boolean;
  /** Whether all of the command was admitted. */
  readonly isWhole: boolean;
};

/** What came of one ask. */
export function decided(ask: Ask, decision: Decision, how: Deciding): CallOutcome {
  const { plan, count } = ask;
  const { ok, retryAfter, degraded } = decision;
  const isAdmitted = ok && how.isWhole;
  return {
    limit: plan.limit,
    kind: plan.kind,
    result: isAdmitted ? "admitted" : ok ? "not taken" : (decision.reason ?? "limited"),
    count,
    taken: isAdmitted && how.isTaking ? count : 0,
    retryAfter,
    reserved: isAdmitted && ask.reserve && retryAfter > 0,
    degraded: degraded === true,
    key: how.keys ? ask.key : undefined,
  };
}

function plain({ plan, key }: Budget, result: CallResult, { keys }: Shown): CallOutcome {
  return {
    limit: plan.limit,
    kind: plan.kind,
    result,
    count: 0,
    taken: 0,
    retryAfter: 0,
    reserved: false,
    degraded: false,
    key: keys ? key : undefined,
  };
}
