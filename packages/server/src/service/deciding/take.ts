/** Takes from budgets: what several targets ask of one budget is asked for once. */
import { type Ask, budgetId, type Decision, type Store } from "spillway/core";
import { type Awaitable, after } from "../awaitable.ts";
import type { RequestLeases } from "../leases/request-leases.ts";
import { isReservable } from "../targets/kinds.ts";
import type { Target } from "../targets/target.ts";

/** What is asked of a store. */
export type Taking = "limit" | "check";

/** How targets are taken from. */
export type Take = {
  readonly store: Store;
  readonly verb: Taking;
  /** What holds the units of concurrency limits; undefined where none is among the targets. */
  readonly leases: RequestLeases | undefined;
};

/** Asks for the budgets of all targets together: takes from all of them, or from none. */
export function take(
  targets: readonly Target[],
  { store, verb, leases }: Take,
): Awaitable<readonly (readonly Decision[])[]> {
  const [first] = targets;
  if (targets.length === 1 && first?.budgets.length === 1 && verb === "limit" && store.limit) {
    const ask = askOf(first, { index: 0, leases });
    return after(store.limit(ask), (decision) => [[decision]]);
  }
  const { asks, places } = merged(targets, leases);
  return after(store.execute({ verb, budgets: asks }), (decisions) => {
    let next = 0;
    return targets.map(({ budgets }) =>
      budgets.map(() => decisions[places[next++] as number] as Decision),
    );
  });
}

/** Makes asks on one budget one, for their sum. */
function merged(
  targets: readonly Target[],
  leases: RequestLeases | undefined,
): { readonly asks: readonly Ask[]; readonly places: readonly number[] } {
  const asks: Ask[] = [];
  const places: number[] = [];
  const known = new Map<string, number>();
  for (const target of targets) {
    for (let index = 0; index < target.budgets.length; index++) {
      const ask = askOf(target, { index, leases });
      const id = budgetId(ask);
      const place = known.get(id) ?? asks.length;
      const other = asks[place];
      known.set(id, place);
      asks[place] = other === undefined ? ask : sumOf(other, ask);
      places.push(place);
    }
  }
  return { asks, places };
}

/** Both are charged or neither; it reserves only if both do. */
function sumOf(one: Ask, other: Ask): Ask {
  return { ...one, count: one.count + other.count, reserve: one.reserve && other.reserve };
}

type Which = { readonly index: number; readonly leases: RequestLeases | undefined };

function askOf({ budgets, count, reserve }: Target, { index, leases }: Which): Ask {
  const { plan, key, settings } = budgets[index] as Target["budgets"][number];
  const lease = plan.family.name === "leases" ? leases?.on({ plan, key }) : undefined;
  return { plan, key, settings, count, reserve: reserve && isReservable({ plan }), lease };
}
