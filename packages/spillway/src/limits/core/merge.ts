/** Several asks taken together. All pure. */
import { budgetId } from "./budget-id.ts";
import type { Ask } from "./store.ts";

/** Asks on one budget made one, and which of them each original ask became. */
export type AsksByBudget = {
  readonly asks: readonly Ask[];
  /** Undefined where no two asks were on one budget. */
  readonly places: readonly number[] | undefined;
};

/** So many asks are compared with each other; making a text of each budget costs more than that. */
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

/** An answer for each original ask, from those to the merged ones. */
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

function sum(one: Ask, other: Ask): Ask {
  return { ...one, count: one.count + other.count, reserve: one.reserve && other.reserve };
}
