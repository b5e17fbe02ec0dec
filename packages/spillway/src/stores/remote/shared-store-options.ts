import type { Random } from "../../limits/core/index.ts";
import type { DenialCacheOptions } from "./denial-cache.ts";
import type { ResilienceOptions } from "./options.ts";

/** Settings that every store has which many processes share across a network. */
export type SharedStoreOptions = Omit<
  ResilienceOptions,
  "local" | "clock" | "scheduler" | "warn"
> & {
  /** Repeats refusals without asking while they stand. Default: off. */
  readonly denialCache?: DenialCacheOptions | boolean;
  /** Where the choice between shards comes from. Default: the runtime's own. */
  readonly random?: Random;
};

/** The names of those settings. */
export const SHARED_STORE_OPTIONS = [
  "deadline",
  "firstDeadline",
  "breaker",
  "instances",
  "onEvent",
  "denialCache",
  "random",
] as const satisfies readonly (keyof SharedStoreOptions)[];
