/** What surrounds the executor of a store that many processes share across a network. */
import type { OptionsOf } from "../../internal/index.ts";
import type { Store, Warn } from "../../limits/core/index.ts";
import { denialCache, type Executor, lent, resilient, sharded } from "../index.ts";
import { memoryStore } from "../memory/index.ts";
import type { SHARED_STORE_OPTIONS } from "./options.ts";

export { SHARED_STORE_OPTIONS, type SharedStoreOptions } from "./options.ts";

type Settings = OptionsOf<typeof SHARED_STORE_OPTIONS> & { readonly warn: Warn };

/** Deadlines and a breaker, then refusals that are repeated, then shards, and outermost what is lent. */
export function sharedStore(executor: Executor<"later">, settings: Settings): Store<"later"> {
  const { denialCache: denials, random, ...resilience } = settings;
  const { onEvent, warn } = settings;
  const store = resilient(executor, { ...resilience, local: memoryStore });
  return lent(sharded(denialCache(store, denials), random), { onEvent, warn });
}
