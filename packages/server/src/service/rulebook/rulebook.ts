import type { Rules } from "../../rules/index.ts";
import type { Settings } from "../settings.ts";
import type { Plans } from "./plans.ts";

/** What requests are understood by. */
export type Rulebook = {
  readonly rules: Rules;
  readonly plans: Plans;
  readonly settings: Settings;
};
