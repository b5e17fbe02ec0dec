import type { Rules } from "../../rules/index.ts";
import type { ServiceSettings } from "../settings.ts";
import type { RulePlans } from "./plans.ts";

/** The rules, plans and settings by which requests are decided. */
export type Rulebook = {
  readonly rules: Rules;
  readonly plans: RulePlans;
  readonly settings: ServiceSettings;
};
