import type { Ask, Random, Timing } from "../../limits/core/index.ts";
import type { DirectStore } from "../store.ts";
import type { WaiterSettings } from "./waiter.ts";

/** The settings that all queues of a limiter share. */
export type QueueSettings<M extends Timing> = WaiterSettings & {
  readonly store: DirectStore<M>;
  readonly random: Random;
  /** The maximum number of calls that wait for one budget. */
  readonly most: number;
  /** Returns the same ask by the present definition, with a lease that was never requested. */
  readonly anew: (ask: Ask) => Ask;
};
