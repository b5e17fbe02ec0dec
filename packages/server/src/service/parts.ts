import type { Clock, Random, Store } from "spillway";
import type { RulesInUse } from "./rulebook/rules-in-use.ts";
import type { Settings } from "./settings.ts";

/** What the verbs of a service work with. */
export type ServiceParts = {
  readonly store: Store;
  readonly inUse: RulesInUse;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
};
