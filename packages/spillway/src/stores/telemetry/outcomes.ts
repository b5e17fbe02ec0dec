/** Converts a command and its answer to the outcomes that are reported. Pure. */
import type { Ask, Budget, Command, Decision } from "../../limits/core/index.ts";
import type { CallOutcome, CallResult } from "./store-call.ts";

/** Whether keys are reported. */
export type KeyVisibility = { readonly keys: boolean };

/** Returns the outcomes of a command that was answered. */
export function outcomesOf(command: Command, answer: unknown, shown: KeyVisibility): CallOutcome[] {
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

/** Returns the outcomes of a command that has no answer. */
export function failuresOf({ budgets }: Command, shown: KeyVisibility): CallOutcome[] {
  return budgets.map((budget) => {
    const { count = 0 } = budget as Partial<Ask>;
    return { ...plain(budget, "failed", shown), count };
  });
}

type OutcomeOptions = KeyVisibility & {
  readonly isTaking: boolean;
  /** Whether all budgets of the command admitted. */
  readonly isWhole: boolean;
};

/** Returns the outcome of one ask. */
export function decided(ask: Ask, decision: Decision, how: OutcomeOptions): CallOutcome {
  const { plan, count } = ask;
  const { ok, retryAfter, degraded, overridden } = decision;
  const isAdmitted = ok && how.isWhole;
  return {
    limit: plan.limit,
    kind: plan.kind,
    mode: ask.settings?.mode ?? "enforce",
    result: isAdmitted ? "admitted" : ok ? "not taken" : (decision.reason ?? "limited"),
    count,
    taken: isAdmitted && how.isTaking ? count : 0,
    retryAfter,
    reserved: isAdmitted && ask.reserve && retryAfter > 0,
    degraded: degraded === true,
    overridden: overridden === true,
    key: how.keys ? ask.key : undefined,
  };
}

function plain(
  { plan, key, settings }: Budget,
  result: CallResult,
  { keys }: KeyVisibility,
): CallOutcome {
  return {
    limit: plan.limit,
    kind: plan.kind,
    mode: settings?.mode ?? "enforce",
    result,
    count: 0,
    taken: 0,
    retryAfter: 0,
    reserved: false,
    degraded: false,
    overridden: false,
    key: keys ? key : undefined,
  };
}
