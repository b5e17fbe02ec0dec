import type { Clock, Random, Store } from "spillway";
import type { RulesInUse } from "./rulebook/rules-in-use.ts";
import type { Settings } from "./settings.ts";

/** The parts that the verbs of a service share. */
export type ServiceParts = {
  readonly store: Store;
  readonly inUse: RulesInUse;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
};
