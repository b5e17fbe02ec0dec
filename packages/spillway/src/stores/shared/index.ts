/** Builds a store that many processes share across a network, around its executor. */
import { abilities, checkedRandom, type OptionsOf } from "../../internal/index.ts";
import type { Budget, Command, Store, StoreWithin, Warn } from "../../limits/core/index.ts";
import { denialCache, type Executor, lent, resilient } from "../index.ts";
import { placesWithin } from "../lending/places/within.ts";
import { memoryStore } from "../memory/index.ts";
import { limitOn } from "../port/limit-on.ts";
import { ShardedStore } from "../sharded/sharded-store.ts";
import type { SHARED_STORE_OPTIONS } from "./options.ts";

export { SHARED_STORE_OPTIONS, type SharedStoreOptions } from "./options.ts";

type SharedStoreSettings = OptionsOf<typeof SHARED_STORE_OPTIONS> & { readonly warn: Warn };

/**
 * Adds deadlines and a breaker, then repeated refusals. For limits with shards or shares only, adds
 * shards, and outermost the lending of units.
 */
export function sharedStore(
  executor: Executor<"later">,
  settings: SharedStoreSettings,
): Store<"later"> {
  const { denialCache: denials, random, ...resilience } = settings;
  const { onEvent, warn } = settings;
  const store = denialCache(resilient(executor, { ...resilience, local: memoryStore }), denials);
  const shards = new ShardedStore(store, checkedRandom(random));
  const divided = lent(shards, { onEvent, warn });
  const { within } = store;
  return {
    ...unlessDivided(store, () => divided),
    ...(divided.lending && { lending: divided.lending }),
    ...(within && {
      within(transaction) {
        const inside = within.call(store, transaction);
        return unlessDivided(inside, () => placesWithin(shards.inside(inside)));
      },
    }),
  };
}

/**
 * Returns a store that carries out commands on undivided limits directly.
 *
 * @param dividing Creates the store for all other commands, when it is first needed.
 */
function unlessDivided(
  store: StoreWithin<"later">,
  dividing: () => StoreWithin<"later">,
): StoreWithin<"later"> {
  const { timing, register, limit, isOver } = store;
  let made: StoreWithin<"later"> | undefined;
  const divided = () => (made ??= dividing());
  const storeFor = (command: Command) => (command.budgets.some(isDivided) ? divided() : store);
  return {
    timing,
    ...abilities(store),
    ...(register && { register: register.bind(store) }),
    execute: (command) => storeFor(command).execute(command),
    ...(limit && {
      limit: (ask) => (isDivided(ask) ? limitOn(divided(), ask) : limit.call(store, ask)),
    }),
    ...(isOver && { isOver: (command) => storeFor(command).isOver?.(command) ?? NOT_OVER }),
  };
}

const NOT_OVER = Promise.resolve(false);

/** Whether units of a budget's limit are lent, or it is sharded. */
function isDivided({ plan, settings }: Budget): boolean {
  return plan.share > 0 || (settings?.shards ?? 1) > 1;
}
