/** Stores that answer later, as one across a network does; each is a memory store, and no mock. */
import type { AnswerTo, Ask, Command, Decision, Store } from "../../src/limits/core/index.ts";
import { degraded } from "../../src/stores/remote/degraded.ts";
import { asking } from "../../src/testing/asking.ts";
import { alter } from "../alter.ts";

/** A memory store that answers later. */
export function later(store: Store<"now">): Store<"later"> {
  const execute = async <C extends Command>(command: C): Promise<AnswerTo<C>> =>
    store.execute(command);
  return { timing: "later", execute };
}

/** One that carries asks out at once, and keeps each answer back until `next` lets it go. */
export function withheld(store: Store<"now">) {
  const kept: (() => void)[] = [];
  const limit = async (ask: Ask): Promise<Decision> => {
    const decision = asking(store).limit(ask);
    await new Promise<void>((resolve) => kept.push(resolve));
    return decision;
  };
  const next = () => kept.shift()?.();
  return { store: alter(later(store), { limit }), next, kept };
}

/** One that is away: asks are answered by each limit's `whenUnavailable`, and all else fails. */
export function away(store: Store<"now">): Store<"later"> {
  const limit = async (ask: Ask) => degraded(ask, 1000);
  const limitAll = async (asks: readonly Ask[]) => asks.map((ask) => degraded(ask, 1000));
  return alter(later(store), { limit, limitAll, release: fails, renew: fails });
}

/** A call that a store could not carry out. */
export async function fails(): Promise<never> {
  throw new Error("the store is away");
}
