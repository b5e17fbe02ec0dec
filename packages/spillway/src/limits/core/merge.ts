/** Several asks taken together. All pure. */
import { budgetId } from "./budget-id.ts";
import { LIMIT_MODES } from "./limit.ts";
import type { Ask } from "./store.ts";

/** The merged asks, one for each budget, and the position of each original ask among them. */
export type AsksByBudget = {
  readonly asks: readonly Ask[];
  /** Undefined if no two asks were on one budget. */
  readonly places: readonly number[] | undefined;
};

/**
 * Up to this many asks are compared with each other, which costs less than a text for each budget.
 */
const FEW = 8;

/**
 * Makes asks on one budget a single ask for their sum, so that the budget is charged for all or for
 * none and the wait is exact. It reserves only if all of them do.
 */
export function merge(asks: readonly Ask[]): AsksByBudget {
  if (asks.length <= FEW && !hasTwins(asks)) return { asks, places: undefined };
  const merged: Ask[] = [];
  const found = new Map<string, number>();
  const places = asks.map((ask) => {
    const id = budgetId(ask);
    const place = found.get(id) ?? merged.length;
    found.set(id, place);
    const other = merged[place];
    merged[place] = other === undefined ? ask : sum(other, ask);
    return place;
  });
  return { asks: merged, places };
}

/** Returns an answer for each original ask, from the answers to the merged asks. */
export function apart<T>({ places }: AsksByBudget, answers: readonly T[]): readonly T[] {
  return places === undefined ? answers : places.map((place) => answers[place] as T);
}

/** Whether two asks are on one budget. */
function hasTwins(asks: readonly Ask[]): boolean {
  for (let index = 1; index < asks.length; index++) {
    const { plan, key } = asks[index] as Ask;
    for (let before = 0; before < index; before++) {
      const other = asks[before] as Ask;
      if (other.plan.limit === plan.limit && other.key === key) return true;
    }
  }
  return false;
}

/** If their modes differ, the stricter one counts. */
function sum(one: Ask, other: Ask): Ask {
  const { settings } = rankOf(other) < rankOf(one) ? other : one;
  return {
    ...one,
    settings,
    count: one.count + other.count,
    reserve: one.reserve && other.reserve,
  };
}

function rankOf({ settings }: Ask): number {
  return LIMIT_MODES.indexOf(settings?.mode ?? "enforce");
}
