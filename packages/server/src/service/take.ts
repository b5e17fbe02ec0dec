/** Takes from budgets: what several targets ask of one budget is asked for once. */
import { randomBytes } from "node:crypto";
import { type Ask, budgetId, type Decision, type Store } from "spillway/core";
import { type Awaitable, after } from "./awaitable.ts";
import type { Target } from "./targets.ts";

/** What is asked of a store. */
export type Taking = "limit" | "check";

/** The decisions on a target's budgets, in order. */
export type Decided = ReadonlyMap<Target, readonly Decision[]>;

/** Asks for the budgets of all targets together: takes from all of them, or from none. */
export function take(
  store: Store,
  targets: readonly Target[],
  verb: Taking,
): Awaitable<readonly (readonly Decision[])[]> {
  const [first] = targets;
  if (targets.length === 1 && first?.budgets.length === 1 && verb === "limit" && store.limit) {
    const ask = askOf(first, 0);
    return after(store.limit(ask), (decision) => [[decision]]);
  }
  const { asks, places } = merged(targets);
  return after(store.execute({ verb, budgets: asks }), (decisions) => {
    let next = 0;
    return targets.map(({ budgets }) =>
      budgets.map(() => decisions[places[next++] as number] as Decision),
    );
  });
}

/** Makes asks on one budget one, for their sum. */
function merged(targets: readonly Target[]): {
  readonly asks: readonly Ask[];
  readonly places: readonly number[];
} {
  const asks: Ask[] = [];
  const places: number[] = [];
  const known = new Map<string, number>();
  for (const target of targets) {
    for (let index = 0; index < target.budgets.length; index++) {
      const ask = askOf(target, index);
      const id = budgetId(ask);
      const place = known.get(id) ?? asks.length;
      const other = asks[place];
      known.set(id, place);
      asks[place] = other === undefined ? ask : { ...other, count: other.count + ask.count };
      places.push(place);
    }
  }
  return { asks, places };
}

function askOf({ budgets, count }: Target, index: number): Ask {
  const { plan, key, settings } = budgets[index] as Target["budgets"][number];
  const lease = plan.family.name === "leases" ? { id: newLeaseId(), headroom: 0 } : undefined;
  return { plan, key, settings, count, reserve: false, lease };
}

/** No other lease of the key has it, but by a chance of one in 2⁵³. */
function newLeaseId(): number {
  return Number(randomBytes(8).readBigUInt64LE() >> 11n);
}
