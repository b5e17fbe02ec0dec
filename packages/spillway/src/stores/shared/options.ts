import { given, type OptionTable } from "../../internal/index.ts";
import type { Random } from "../../limits/core/index.ts";
import type { DenialCacheOptions, OnEvent, ResilienceOptions } from "../index.ts";

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

/** Those settings, which are checked where they are used. */
export const SHARED_STORE_OPTIONS = {
  deadline: given<number | undefined>(),
  firstDeadline: given<number | undefined>(),
  breaker: given<SharedStoreOptions["breaker"]>(),
  instances: given<number | undefined>(),
  onEvent: given<OnEvent | undefined>(),
  denialCache: given<DenialCacheOptions | boolean>(false),
  random: given<Random | undefined>(),
} satisfies OptionTable<SharedStoreOptions>;
