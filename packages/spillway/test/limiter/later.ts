/** Stores that answer later, as one across a network does; each is a memory store, and no mock. */
import { degraded } from "../../src/algorithms/index.ts";
import type { Ask, Decision, Store } from "../../src/core/index.ts";

/** A memory store that answers later. */
export function later(store: Store<"now">): Store<"later"> {
  return {
    mode: "later",
    limit: async (ask) => store.limit(ask),
    check: async (ask) => store.check(ask),
    limitAll: async (asks) => store.limitAll(asks),
    checkAll: async (asks) => store.checkAll(asks),
    settle: async (budget, settlement) => store.settle(budget, settlement),
    release: async (budget, held) => store.release(budget, held),
    renew: async (budget, held) => store.renew(budget, held),
    value: async (budget) => store.value(budget),
    look: async (budgets) => store.look(budgets),
    reset: async (budget) => store.reset(budget),
    block: async (budget, ms) => store.block(budget, ms),
    unblock: async (budget) => store.unblock(budget),
  };
}

/** One that carries asks out at once, and keeps each answer back until `next` lets it go. */
export function withheld(store: Store<"now">) {
  const kept: (() => void)[] = [];
  const limit = async (ask: Ask): Promise<Decision> => {
    const decision = store.limit(ask);
    await new Promise<void>((resolve) => kept.push(resolve));
    return decision;
  };
  const next = () => kept.shift()?.();
  return { store: { ...later(store), limit }, next, kept };
}

/** One that is away: asks are answered by each limit's `whenUnavailable`, and all else fails. */
export function away(store: Store<"now">): Store<"later"> {
  const limit = async ({ plan }: Ask) => degraded(plan, 1000);
  const limitAll = async (asks: readonly Ask[]) => asks.map(({ plan }) => degraded(plan, 1000));
  return { ...later(store), limit, limitAll, release: fails, renew: fails };
}

/** A call that a store could not carry out. */
export async function fails(): Promise<never> {
  throw new Error("the store is away");
}
