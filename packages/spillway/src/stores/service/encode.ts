/** Converts commands to requests to a service. Pure. */
import { limitOf } from "../../limits/algorithms/index.ts";
import type { Ask, Budget, Command, Limit, LimitSettings, Plan } from "../../limits/core/index.ts";
import type { RemoteBudget, RemoteCommand, RemoteRequest, RemoteVerb } from "./protocol.ts";

/** Builds a request from commands, none of which is a `peek`. */
export function requestOf(prefix: string, commands: readonly Command[]): RemoteRequest {
  const limits = new SentLimits();
  return { prefix, commands: commands.map((one) => commandOf(one, limits)), limits: limits.all };
}

/** The limits of a request. Each is sent once. */
class SentLimits {
  readonly all: { readonly name: string; readonly limit: Limit }[] = [];
  readonly #plans: Plan[] = [];
  readonly #settings: (LimitSettings | undefined)[] = [];

  /** Returns the index of a budget's limit. */
  placeOf({ plan, settings }: Budget): number {
    for (let place = this.#plans.length - 1; place >= 0; place--) {
      if (this.#plans[place] === plan && this.#settings[place] === settings) return place;
    }
    this.#plans.push(plan);
    this.#settings.push(settings);
    return this.all.push({ name: plan.limit, limit: definitionOf(plan, settings) }) - 1;
  }
}

function definitionOf(plan: Plan, settings: LimitSettings | undefined): Limit {
  const { whenUnavailable = "closed", shards = 1 } = settings ?? {};
  // Idle places are kept by a process that takes leases from its own store, not by the service.
  const share = plan.kind === "concurrency" ? 0 : plan.share;
  const limit = { ...limitOf({ ...plan, share }), whenUnavailable };
  return shards === 1 ? limit : ({ ...limit, shards } as Limit);
}

function commandOf(command: Command, limits: SentLimits): RemoteCommand {
  const verb = command.verb as RemoteVerb;
  if (command.verb === "limit" || command.verb === "check") {
    return { verb, budgets: command.budgets.map((ask) => askOf(ask, limits)) };
  }
  const budgets = command.budgets.map((budget) => budgetOf(budget, limits));
  if ("lease" in command) {
    const { id, count } = command.lease;
    return { verb, budgets, lease: { id, count } };
  }
  if ("settlement" in command) {
    const { reserved, used } = command.settlement;
    return { verb, budgets, settlement: { reserved, used } };
  }
  return "ms" in command ? { verb, budgets, ms: command.ms } : { verb, budgets };
}

function askOf(ask: Ask, limits: SentLimits): RemoteBudget {
  const { count, reserve, lease } = ask;
  return {
    ...budgetOf(ask, limits),
    ...(count === 1 ? {} : { count }),
    ...(reserve ? { reserve } : {}),
    ...(lease === undefined ? {} : { lease: { id: lease.id, headroom: lease.headroom } }),
  };
}

function budgetOf(budget: Budget, limits: SentLimits): RemoteBudget {
  const limit = limits.placeOf(budget);
  return budget.key === undefined ? { limit } : { limit, key: budget.key };
}
