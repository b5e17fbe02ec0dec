import type { Clock, Random, Store } from "spillway";
import type { HeldTimes } from "spillway/support";
import type { RulesInUse } from "./rulebook/rules-in-use.ts";
import type { ServiceSettings } from "./settings.ts";

/** The parts that the verbs of a service share. */
export type ServiceParts = {
  readonly store: Store;
  readonly inUse: RulesInUse;
  readonly settings: ServiceSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly heldTimes: HeldTimes;
};
