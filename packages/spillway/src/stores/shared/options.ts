import { given, type OptionTable } from "../../internal/index.ts";
import type { Random } from "../../limits/core/index.ts";
import type { DenialCacheOptions, OnEvent, ResilienceOptions } from "../index.ts";

/** The options common to all stores that many processes share across a network. */
export type SharedStoreOptions = Omit<
  ResilienceOptions,
  "local" | "clock" | "scheduler" | "warn"
> & {
  /** Whether to repeat refusals without asking the store while they are valid. Default: off. */
  readonly denialCache?: DenialCacheOptions | boolean;
  /** The source of random numbers for the choice between shards. Default: the runtime's own. */
  readonly random?: Random;
};

/** The table of these options, which are checked where they are used. */
export const SHARED_STORE_OPTIONS = {
  deadline: given<number | undefined>(),
  firstDeadline: given<number | undefined>(),
  breaker: given<SharedStoreOptions["breaker"]>(),
  instances: given<number | undefined>(),
  onEvent: given<OnEvent | undefined>(),
  denialCache: given<DenialCacheOptions | boolean>(false),
  random: given<Random | undefined>(),
} satisfies OptionTable<SharedStoreOptions>;
