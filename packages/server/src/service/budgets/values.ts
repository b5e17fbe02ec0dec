/** Reads, settles and blocks budgets. */
import type { Budget, CommandOf, Settlement, Store, Value } from "spillway/core";
import { MOST_UNITS } from "spillway/support";
import type { Rule } from "../../rules/index.ts";
import type { ValuesResponse } from "../contracts.ts";
import { RequestError } from "../request-error.ts";
import { checkRates } from "../targets/kinds.ts";
import { ownBudgets, type Target, type TargetBudget } from "../targets/target.ts";

type TargetList = readonly (Target | undefined)[];

/** Reads what is left for each descriptor. If several limits apply to one, the tightest counts. */
export function readValues(store: Store, targets: TargetList): Promise<ValuesResponse> {
  return eachOf(targets, ({ budgets }) =>
    budgets.map((budget) => answerOn(store, budget, { verb: "value", budgets: [bare(budget)] })),
  );
}

/** Reads what is left of the rules' own budgets. Limits above that also apply do not count. */
export function readOwnValues(store: Store, targets: TargetList): Promise<ValuesResponse> {
  return eachOf(targets, (target) =>
    ownBudgets(target).map((budget) =>
      answerOn(store, budget, { verb: "value", budgets: [bare(budget)] }),
    ),
  );
}

/**
 * Settles each target's estimate under all rates that it was taken from.
 *
 * @throws RequestError `wrong-kind` if a target has none.
 */
export async function settle(
  store: Store,
  targets: TargetList,
  settlements: readonly Settlement[],
): Promise<ValuesResponse> {
  checkRates(targets);
  return eachOf(targets, ({ budgets }, place) => {
    const { reserved, used } = settlements[place] as Settlement;
    const settlement = { reserved, used };
    const rates = budgets.filter(({ plan }) => plan.family.name !== "leases");
    return rates.map((budget) =>
      answerOn(store, budget, { verb: "settle", budgets: [bare(budget)], settlement }),
    );
  });
}

/**
 * Blocks or unblocks the rules' own budgets and reads them afterwards. Limits above that also apply
 * belong to others, and stay as they are.
 *
 * @throws RequestError `nothing-to-block` if no budget is concerned.
 */
export async function changeBlock(
  store: Store,
  targets: TargetList,
  ms: number | undefined,
): Promise<ValuesResponse> {
  if (ms !== undefined) checkBlockable(targets);
  return changeOwn(store, targets, (budget) => {
    const budgets = [bare(budget)] as const;
    return ms === undefined ? { verb: "unblock", budgets } : { verb: "block", budgets, ms };
  });
}

type ChangeCommand = CommandOf<"block" | "unblock" | "override">;

/**
 * Carries out a command on each of the rules' own budgets, and reads them afterwards.
 *
 * @param commandFor Is called for all budgets before anything is changed, and may throw.
 */
export async function changeOwn(
  store: Store,
  targets: TargetList,
  commandFor: (budget: TargetBudget, place: number) => ChangeCommand,
): Promise<ValuesResponse> {
  const commands = targets.map((target, place) =>
    (target === undefined ? [] : ownBudgets(target)).map((budget) => ({
      budget,
      command: commandFor(budget, place),
    })),
  );
  return eachOf(targets, (_, place) =>
    (commands[place] ?? []).map(async ({ budget, command }) => {
      await store.execute(command);
      return answerOn(store, budget, { verb: "value", budgets: [bare(budget)] });
    }),
  );
}

/**
 * Returns the values of each target's budgets, and the one with the least left as the target's
 * value.
 */
async function eachOf(
  targets: TargetList,
  valuesOf: (target: Target, place: number) => readonly Promise<Value>[],
): Promise<ValuesResponse> {
  const values = targets.map(async (target, place) => {
    if (target === undefined) return undefined;
    const [first, ...others] = await Promise.all(valuesOf(target, place));
    return first === undefined ? unlimitedValue(target.rule) : others.reduce(tighter, first);
  });
  return { values: await Promise.all(values) };
}

async function answerOn(
  store: Store,
  budget: TargetBudget,
  command: CommandOf<"value" | "settle">,
): Promise<Value> {
  return shownValue(await store.execute(command), budget);
}

/** Shows a counter, which refuses nothing, as the limit that it counts for. Pure. */
export function shownValue(value: Value, { isCounter, rule }: TargetBudget): Value {
  if (!isCounter) return value;
  const { rate } = rule.limit as { readonly rate: number };
  return { ...value, capacity: rate, remaining: Math.max(0, value.remaining - MOST_UNITS + rate) };
}

/** Returns a budget without what only the service knows of it. Pure. */
export function bare({ plan, key, settings }: TargetBudget): Budget {
  return { plan, key, settings };
}

/** A blocked budget has nothing left, even if nothing was used. */
function tighter(one: Value, other: Value): Value {
  if (one.blockedFor > 0 || other.blockedFor > 0) {
    return other.blockedFor > one.blockedFor ? other : one;
  }
  return other.remaining < one.remaining ? other : one;
}

function unlimitedValue({ name }: Rule): Value {
  const [capacity, remaining] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return { limit: name, capacity, remaining, reserved: 0, resetAfter: 0, blockedFor: 0 };
}

/** Refuses a block that would have no effect, because callers would rely on it. */
function checkBlockable(targets: TargetList): void {
  const place = targets.findIndex((target) => target === undefined || !ownBudgets(target).length);
  if (place < 0) return;
  const found = `Found no limit for descriptors[${place}]`;
  const detail = `${found}, expected one to block; nothing was blocked`;
  throw new RequestError({ status: 404, code: "nothing-to-block", detail });
}
