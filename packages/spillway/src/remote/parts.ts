import { agree } from "../algorithms/index.ts";
import type { Plan } from "../core/index.ts";
import type { Call } from "./call.ts";

/** What carries a call. */
type Carrier = { readonly call: Call };

/**
 * Divides calls into requests, in order: each names at most `most` budgets, and no limit under two
 * definitions, as it would while a limit changes. A call is never divided.
 */
export function parts<C extends Carrier>(carriers: readonly C[], most: number): readonly C[][] {
  if (carriers.length === 1) return [[...carriers]];
  const all: C[][] = [];
  let part: C[] = [];
  let budgets = 0;
  let plans = new Map<string, Plan>();
  for (const carrier of carriers) {
    const more = carrier.call.budgets.length;
    if (part.length > 0 && (budgets + more > most || contradicts(carrier.call, plans))) {
      all.push(part);
      [part, budgets, plans] = [[], 0, new Map()];
    }
    for (const { plan } of carrier.call.budgets) plans.set(plan.limit, plan);
    part.push(carrier);
    budgets += more;
  }
  all.push(part);
  return all;
}

function contradicts({ budgets }: Call, plans: ReadonlyMap<string, Plan>): boolean {
  return budgets.some(({ plan }) => {
    const known = plans.get(plan.limit);
    // Shards are parts of one limit that differ, and have keys that differ.
    return known !== undefined && known !== plan && plan.shards === 1 && !agree(known, plan);
  });
}
