import type { Store } from "spillway";
import { listRules } from "../rules/index.ts";
import type { Rulebook } from "./rulebook/rulebook.ts";

/** How many keys are read to see whether the store answers: on a cluster they are on many nodes. */
const PROBES = 16;

/** Reads values, which have no fallback: decisions would be made without the store, and counted. */
export async function doesStoreFail(store: Store, { rules, plans }: Rulebook): Promise<boolean> {
  const rule = listRules(rules).find(({ limit }) => limit !== "unlimited");
  if (rule === undefined) return false;
  const planned = plans.of(rule);
  const values = Array.from({ length: PROBES }, async (_, number) =>
    store.execute({ verb: "value", budgets: [{ ...planned, key: `probe ${number}` }] }),
  );
  const outcomes = await Promise.allSettled(values);
  return outcomes.some(({ status }) => status === "rejected");
}
