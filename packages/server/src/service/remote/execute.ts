/** Executes the commands of programs whose store is this service. */
import { type Command, type Decision, SpillwayError, type Store, type Value } from "spillway/core";
import type {
  RemoteDecision,
  RemoteOutcome,
  RemoteRequest,
  RemoteResponse,
  RemoteValue,
} from "spillway/service";
import { readCommands } from "./read-commands.ts";
import { RemotePlans } from "./remote-plans.ts";

/** Executes the commands of a request. */
export type Execute = (request: RemoteRequest) => Promise<RemoteResponse>;

/** Creates the function. It refuses invalid commands before it executes any. */
export function executeOn(store: Store): Execute {
  const plans = new RemotePlans();
  return async (request) => {
    const commands = readCommands(request, plans);
    return { outcomes: await Promise.all(commands.map((command) => outcomeOf(store, command))) };
  };
}

/**
 * Error messages of the store are for the operator and may name machines, so programs receive only
 * the code.
 */
async function outcomeOf(store: Store, command: Command): Promise<RemoteOutcome> {
  try {
    return toOutcome(command, await store.execute(command));
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    return { error: error.code };
  }
}

function toOutcome({ verb }: Command, answer: unknown): RemoteOutcome {
  if (verb === "limit" || verb === "check") {
    return { decisions: (answer as readonly Decision[]).map(toDecision) };
  }
  if (verb === "value" || verb === "settle") return { value: toValue(answer as Value) };
  if (verb === "release" || verb === "renew") return { held: answer as boolean };
  return { done: true };
}

function toDecision(decision: Decision): RemoteDecision {
  const { ok, capacity, remaining, retryAfter, resetAfter, reason, degraded } = decision;
  return {
    ok,
    capacity,
    remaining,
    retryAfter: finite(retryAfter),
    resetAfter: finite(resetAfter),
    reason,
    degraded,
  };
}

function toValue({ capacity, remaining, reserved, resetAfter, blockedFor }: Value): RemoteValue {
  return { capacity, remaining, reserved, resetAfter: finite(resetAfter), blockedFor };
}

function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}
