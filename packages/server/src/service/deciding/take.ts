/** Takes from budgets. Several targets of one budget become one ask. */
import type { Ask, Decision, Store } from "spillway/core";
import { apart, chain, type HeldTimes, type MaybePromise, merge } from "spillway/support";
import type { RequestLeases } from "../leases/request-leases.ts";
import { isReservable } from "../targets/kinds.ts";
import type { Target } from "../targets/target.ts";

/** The verbs by which budgets are asked. */
export type TakeVerb = "limit" | "check";

/** How units are taken from targets. */
export type TakeOptions = {
  readonly store: Store;
  readonly verb: TakeVerb;
  /** The leases on units of concurrency limits; undefined if no target has such a limit. */
  readonly leases: RequestLeases | undefined;
  /** Estimates the waits of refusals by concurrency limits. Default: no estimates. */
  readonly heldTimes?: HeldTimes | undefined;
};

/** Asks for the budgets of all targets together: takes from all of them, or from none. */
export function take(
  targets: readonly Target[],
  { store, verb, leases, heldTimes }: TakeOptions,
): MaybePromise<readonly (readonly Decision[])[]> {
  const [first] = targets;
  const estimate = (ask: Ask, decision: Decision) =>
    leases === undefined ? decision : (heldTimes?.estimate(ask, decision) ?? decision);
  if (targets.length === 1 && first?.budgets.length === 1 && verb === "limit" && store.limit) {
    const ask = askOf(first, { index: 0, leases });
    return chain(store.limit(ask), (decision) => [[estimate(ask, decision)]]);
  }
  const merged = merge(
    targets.flatMap((target) => target.budgets.map((_, index) => askOf(target, { index, leases }))),
  );
  return chain(store.execute({ verb, budgets: merged.asks }), (answers) => {
    const estimated = answers.map((each, at) => estimate(merged.asks[at] as Ask, each));
    const decisions = apart(merged, estimated);
    let next = 0;
    return targets.map(({ budgets }) => budgets.map(() => decisions[next++] as Decision));
  });
}

type TakeIndex = { readonly index: number; readonly leases: RequestLeases | undefined };

function askOf({ budgets, count, reserve }: Target, { index, leases }: TakeIndex): Ask {
  const { plan, key, settings } = budgets[index] as Target["budgets"][number];
  const lease = plan.family.name === "leases" ? leases?.on({ plan, key }) : undefined;
  return { plan, key, settings, count, reserve: reserve && isReservable({ plan }), lease };
}
