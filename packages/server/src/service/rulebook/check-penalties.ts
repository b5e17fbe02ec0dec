/** Refuses penalties that a store can't count. Pure. */
import type { Store } from "spillway";
import { display } from "spillway/support";
import { listRules, type Rule, type Rules, RulesError } from "../../rules/index.ts";

/** @throws RulesError `no-penalties` for each rule with a penalty, unless the store counts them. */
export function checkPenalties(rules: Rules, store: Pick<Store, "penalties">): void {
  if (store.penalties === true) return;
  const problems = listRules(rules).filter(hasPenalty).map(problemOf);
  if (problems.length > 0) throw new RulesError(problems, 0);
}

function hasPenalty({ limit }: Rule): boolean {
  return limit !== "unlimited" && "penalty" in limit && limit.penalty !== undefined;
}

function problemOf({ name, place }: Rule) {
  return {
    ...place,
    code: "no-penalties",
    found: `penalty in the limit ${display(name)}`,
    expected: "none: the store counts no refusals",
    hint: "Use the store for memory, SQLite, Redis or Postgres",
  } as const;
}
