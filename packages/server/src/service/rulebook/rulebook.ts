import type { Rules } from "../../rules/index.ts";
import type { RuleModes } from "../modes/rule-modes.ts";
import type { ServiceSettings } from "../settings.ts";
import type { RulePlans } from "./plans.ts";

/** The rules, modes, plans and settings by which requests are decided. */
export type Rulebook = {
  readonly rules: Rules;
  readonly modes: RuleModes;
  readonly plans: RulePlans;
  readonly settings: ServiceSettings;
};
