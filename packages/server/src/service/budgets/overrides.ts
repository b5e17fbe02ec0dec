/** Overrides budgets, and explains why one can't be overridden. */
import { type CommandOf, SpillwayError, type Store } from "spillway/core";
import { overrideCommand } from "spillway/support";
import type { OverrideNumbers, ValuesResponse } from "../contracts.ts";
import { RequestError } from "../request-error.ts";
import type { Target, TargetBudget } from "../targets/target.ts";
import { bare, changeOwn } from "./values.ts";

/**
 * Overrides the rules' own budgets, or ends their overrides, and reads them afterwards. Limits
 * above that also apply belong to others, and stay as they are.
 *
 * @throws RequestError `no-overrides`, `bad-override` before anything is changed.
 */
export function changeOverride(
  store: Store,
  targets: readonly (Target | undefined)[],
  numbers: OverrideNumbers | undefined,
): Promise<ValuesResponse> {
  return changeOwn(store, targets, (budget, place) =>
    overrideOf(budget, { store, numbers, place }),
  );
}

type OverrideContext = {
  /** The store, or what is known of it. */
  readonly store: Pick<Store, "overrides">;
  /** The override; undefined ends the one in force. */
  readonly numbers: OverrideNumbers | undefined;
  /** The place of its descriptor in the request. */
  readonly place: number;
};

/** Returns the command for one budget. Pure. @throws RequestError `no-overrides`, `bad-override` */
export function overrideOf(
  budget: TargetBudget,
  { store, numbers, place }: OverrideContext,
): CommandOf<"override"> {
  if (budget.isCounter) throw isCounted(budget, place);
  try {
    return overrideCommand(store, bare(budget), numbers);
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    throw refused(error, place);
  }
}

function refused({ code, message }: SpillwayError, place: number): RequestError {
  const detail = `Found a mistake in the override of descriptors[${place}]: ${message}`;
  if (code !== "no-overrides")
    return new RequestError({ status: 400, code: "bad-override", detail });
  return noOverrides(detail);
}

function isCounted({ rule }: TargetBudget, place: number): RequestError {
  return noOverrides(
    `Found --charge-refused for descriptors[${place}], expected a service without it, because ` +
      `it only counts for ${rule.name}`,
  );
}

function noOverrides(detail: string): RequestError {
  const hint = "In the rule file, a descriptor with that value is such a limit";
  return new RequestError({ status: 400, code: "no-overrides", detail: `${detail}. ${hint}` });
}
