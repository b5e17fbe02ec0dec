import type { Rules } from "../../rules/index.ts";
import type { Settings } from "../settings.ts";
import type { Plans } from "./plans.ts";

/** The rules, plans and settings by which requests are decided. */
export type Rulebook = {
  readonly rules: Rules;
  readonly plans: Plans;
  readonly settings: Settings;
};
