/** Converts the response of a service to answers of a store. Pure. */
import {
  type Budget,
  type Command,
  type Decision,
  decisionOf,
  type Reason,
  type Value,
} from "../../limits/core/index.ts";
import type { CommandOutcome } from "../index.ts";
import type { RemoteDecision, RemoteOutcome, RemoteValue } from "./protocol.ts";

/**
 * Returns the outcomes of commands. A command with an invalid outcome has no answer, which counts
 * as its failure.
 */
export function outcomesOf(commands: readonly Command[], body: unknown): readonly CommandOutcome[] {
  const outcomes = (body as { readonly outcomes?: unknown } | null)?.outcomes;
  if (!Array.isArray(outcomes)) throw new Error("the service's answer has no outcomes");
  if (outcomes.length !== commands.length) {
    throw new Error(
      `found ${outcomes.length} outcomes, expected ${commands.length}, one per command`,
    );
  }
  return commands.map((command, index) => outcomeOf(command, outcomes[index]));
}

const NONE = {} as CommandOutcome;

function outcomeOf({ verb, budgets }: Command, outcome: RemoteOutcome): CommandOutcome {
  if (typeof outcome !== "object" || outcome === null) return NONE;
  if ("error" in outcome)
    return { error: new Error(`the service returned the error ${outcome.error}`) };
  if (verb === "limit" || verb === "check") {
    return "decisions" in outcome ? decisionsOutcome(budgets, outcome.decisions) : NONE;
  }
  if (verb === "value" || verb === "settle") {
    return "value" in outcome ? valueOutcome(budgets[0] as Budget, outcome.value) : NONE;
  }
  if (verb === "release" || verb === "renew") {
    return "held" in outcome ? { answer: outcome.held === true } : NONE;
  }
  return "done" in outcome ? { answer: undefined } : NONE;
}

function decisionsOutcome(
  budgets: readonly Budget[],
  all: readonly RemoteDecision[],
): CommandOutcome {
  if (!Array.isArray(all) || all.length !== budgets.length || !all.every(isDecision)) return NONE;
  return { answer: all.map((one, index) => readDecision(budgets[index] as Budget, one)) };
}

function readDecision({ plan: { limit } }: Budget, decision: RemoteDecision): Decision {
  const { ok, capacity, remaining, retryAfter, resetAfter, reason, degraded } = decision;
  return decisionOf(
    { limit, capacity },
    {
      remaining,
      retryAfter: retryAfter ?? Number.POSITIVE_INFINITY,
      resetAfter: resetAfter ?? Number.POSITIVE_INFINITY,
      // A refusal should have a reason, but is a refusal without one too.
      reason: ok ? undefined : ((reason ?? "limited") as Reason),
      degraded: degraded === true ? true : undefined,
    },
  );
}

function valueOutcome({ plan }: Budget, value: RemoteValue): CommandOutcome {
  if (!areNumbers(value, ["capacity", "remaining", "reserved", "blockedFor"])) return NONE;
  const { capacity, remaining, reserved, resetAfter, blockedFor } = value;
  const answer: Value = {
    limit: plan.limit,
    capacity,
    remaining,
    reserved,
    resetAfter: resetAfter ?? Number.POSITIVE_INFINITY,
    blockedFor,
  };
  return { answer };
}

function isDecision(decision: unknown): boolean {
  const { ok } = (decision ?? {}) as Partial<RemoteDecision>;
  return typeof ok === "boolean" && areNumbers(decision, ["capacity", "remaining"]);
}

function areNumbers(value: unknown, fields: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return fields.every((field) => typeof (value as Record<string, unknown>)[field] === "number");
}
