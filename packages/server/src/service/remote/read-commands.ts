/** Converts the commands of a request into commands for the store, and checks every number. */
import { type Ask, type Budget, budgetId, type Command } from "spillway/core";
import type { RemoteBudget, RemoteCommand, RemoteRequest } from "spillway/service";
import { RequestError } from "../request-error.ts";
import type { RulePlan } from "../rulebook/plans.ts";
import type { RemotePlans } from "./remote-plans.ts";

/** The longest key of a store in UTF-16 units, less the prefix that shards add. */
const LONGEST_KEY = 256;

/**
 * Converts the commands of a request that has passed its schema. @throws RequestError `bad-field`
 */
export function readCommands(
  { prefix, limits, commands }: RemoteRequest,
  plans: RemotePlans,
): readonly Command[] {
  const known = limits.map((one) => ({ name: one.name, planned: plans.of(prefix, one) }));
  return commands.map((command, index) => readCommand(command, known, `commands[${index}]`));
}

type NamedPlan = { readonly name: string; readonly planned: RulePlan };

function readCommand(command: RemoteCommand, known: readonly NamedPlan[], at: string): Command {
  const { verb, lease, settlement, ms } = command;
  const budgets = command.budgets.map((one, index) =>
    readBudget(one, known, `${at}.budgets[${index}]`),
  );
  if (verb === "limit" || verb === "check") {
    if (new Set(budgets.map(budgetId)).size < budgets.length)
      throw bad({ at, expected: "each budget once" });
    return { verb, budgets: budgets.map((one, index) => readAsk(one, command, { index, at })) };
  }
  const [budget] = budgets as [Budget];
  if (budgets.length > 1) throw bad({ at: `${at}.budgets`, expected: `one budget for ${verb}` });
  const isLeased = budget.plan.family.name === "leases";
  if (verb === "settle") {
    if (settlement === undefined) throw bad({ at, expected: "a settlement" });
    return { verb, budgets: [budget], settlement };
  }
  if (verb === "release" || verb === "renew") {
    if (lease === undefined || !isLeased)
      throw bad({ at, expected: "a lease of a concurrency limit" });
    return { verb, budgets: [budget], lease };
  }
  if (verb !== "block") return { verb, budgets: [budget] };
  if (ms === undefined) throw bad({ at, expected: "ms, how long to block" });
  return { verb, budgets: [budget], ms };
}

function readBudget({ limit, key }: RemoteBudget, known: readonly NamedPlan[], at: string): Budget {
  const found = known[limit];
  if (found === undefined)
    throw bad({ at: `${at}.limit`, expected: `an index into the ${known.length} limits` });
  if (key !== undefined && key.length > LONGEST_KEY) {
    throw bad({ at: `${at}.key`, expected: `at most ${LONGEST_KEY} UTF-16 units` });
  }
  const { name, planned } = found;
  return { ...planned, key, alignedWith: { limit: name, key } };
}

type CommandLocation = { readonly index: number; readonly at: string };

function readAsk(budget: Budget, command: RemoteCommand, { index, at }: CommandLocation): Ask {
  const { count = 1, reserve = false, lease } = command.budgets[index] as RemoteBudget;
  const { plan } = budget;
  const place = `${at}.budgets[${index}]`;
  if (reserve && !plan.reservable)
    throw bad({ at: place, expected: `no reservations under a ${plan.kind}` });
  if (plan.family.name !== "leases") {
    if (lease !== undefined) throw bad({ at: place, expected: `no lease of a ${plan.kind}` });
  } else if (lease === undefined && command.verb === "limit") {
    throw bad({ at: place, expected: "a lease, because the limit is a concurrency limit" });
  }
  return { ...budget, count, reserve, lease };
}

function bad({ at, expected }: { readonly at: string; readonly expected: string }): RequestError {
  const detail = `Found an invalid value in ${at}, expected ${expected}`;
  return new RequestError({ status: 400, code: "bad-field", detail });
}
