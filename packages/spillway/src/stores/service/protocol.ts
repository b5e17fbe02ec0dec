/**
 * The requests of a store to `spillway serve` and its responses: JSON, at `POST /v1/commands`.
 *
 * A request contains the whole definition of each limit. So definitions stay in programs, and the
 * service needs no rule for them. `null` stands for `Infinity`, an instant that never comes.
 */
import type { Limit, Verb } from "../../limits/core/index.ts";

/** The path to which commands are sent, below the service's URL. */
export const COMMANDS_PATH = "/v1/commands";

/**
 * The verbs that the service carries out: all but `peek` and `draw`.
 *
 * `peek` copies states, `draw` lends units.
 */
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
  /** The prefix of the budgets. Stores with one prefix share them. */
  readonly prefix: string;
  /** The limits of the commands, each once. */
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
  /** For `block`: its length in milliseconds. */
  readonly ms?: number;
};

/** A budget. For `limit` and `check` it includes the amount to take. */
export type RemoteBudget = {
  /** The index of its limit among those of the request, from 0. */
  readonly limit: number;
  /** Missing for the limit's one global budget. */
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
