/**
 * What a store says to `spillway serve`, and what it is answered: JSON, at `POST /v1/commands`.
 *
 * A command says all of its limit, so that definitions live in programs, and the service needs no rule
 * for them. `null` stands for an instant that never comes.
 */
import type { Limit, Verb } from "../../limits/core/index.ts";

/** Where commands are sent, under the service's URL. */
export const COMMANDS_PATH = "/v1/commands";

/** The verbs that the service carries out: all but `peek`, which copies states. */
export const REMOTE_VERBS = [
  "limit",
  "check",
  "settle",
  "release",
  "renew",
  "value",
  "reset",
  "block",
  "unblock",
] as const satisfies readonly Verb[];
export type RemoteVerb = (typeof REMOTE_VERBS)[number];

/** Commands that are carried out in order. */
export type RemoteRequest = {
  /** Whose budgets: stores with one prefix share them. */
  readonly prefix: string;
  /** The limits that the commands are about, each once. */
  readonly limits: readonly RemoteLimit[];
  readonly commands: readonly RemoteCommand[];
};

/** A limit as it is defined in the program. */
export type RemoteLimit = { readonly name: string; readonly limit: Limit };

export type RemoteCommand = {
  readonly verb: RemoteVerb;
  readonly budgets: readonly RemoteBudget[];
  /** For `release` and `renew`. */
  readonly lease?: { readonly id: number; readonly count: number };
  /** For `settle`. */
  readonly settlement?: { readonly reserved: number; readonly used: number };
  /** For `block`. */
  readonly ms?: number;
};

/** A budget; for `limit` and `check`, with how much of it is asked for. */
export type RemoteBudget = {
  /** The place of its limit among those of the request, from 0. */
  readonly limit: number;
  /** Left out of the limit's one global budget. */
  readonly key?: string;
  readonly count?: number;
  readonly reserve?: boolean;
  readonly lease?: { readonly id: number; readonly headroom: number };
};

/** One outcome for each command, in order. */
export type RemoteResponse = { readonly outcomes: readonly RemoteOutcome[] };

export type RemoteOutcome =
  | { readonly decisions: readonly RemoteDecision[] }
  | { readonly value: RemoteValue }
  | { readonly held: boolean }
  | { readonly done: true }
  | { readonly error: string };

/** A decision without the limit's name. */
export type RemoteDecision = {
  readonly ok: boolean;
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number | null;
  readonly resetAfter: number | null;
  readonly reason?: string | undefined;
  readonly degraded?: true | undefined;
};

export type RemoteValue = {
  readonly capacity: number;
  readonly remaining: number;
  readonly reserved: number;
  readonly resetAfter: number | null;
  readonly blockedFor: number;
};
