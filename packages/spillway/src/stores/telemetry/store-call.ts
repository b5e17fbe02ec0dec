import type { Decision, Kind, Verb } from "../../limits/core/index.ts";

/** One command of a store and what came of it: for metrics, traces and logs. */
export type StoreCall = {
  readonly verb: Verb;
  /** Milliseconds from the command to its answer, with fractions. */
  readonly duration: number;
  /** Why there is no answer; undefined where there is one. */
  readonly error: Error | undefined;
  /** What came of it for each budget, in the order of the command. */
  readonly outcomes: readonly CallOutcome[];
};

/** What a command came to on one budget. */
export type CallOutcome = {
  /** The limit's name. */
  readonly limit: string;
  readonly kind: Kind;
  readonly result: CallResult;
  /** Units that were asked for, or that the lease holds; 0 for what is about no number. */
  readonly count: number;
  /** Units that were taken: the count of what was admitted by `limit`; else 0. */
  readonly taken: number;
  /** Milliseconds until the work may start, or until it is worth asking again; else 0. */
  readonly retryAfter: number;
  /** Whether it was taken ahead of time: units are reserved that were not there yet. */
  readonly reserved: boolean;
  /** Whether it was decided without the store. */
  readonly degraded: boolean;
  /** Whose budget, where that was asked for; see `InstrumentedOptions`. */
  readonly key: string | undefined;
};

/**
 * What came of it.
 *
 * - `admitted`, or why it was refused: what `limit` and `check` decide.
 * - `not taken`: it would have been admitted, and another budget of the same command refused.
 * - `held`, `over`: whether what `release` or `renew` names was in flight still.
 * - `done`: what other verbs answer.
 * - `failed`: there is no answer, and `error` says why.
 */
export type CallResult =
  | "admitted"
  | NonNullable<Decision["reason"]>
  | "not taken"
  | "held"
  | "over"
  | "done"
  | "failed";

/** Receives calls. What it throws, or rejects with, is ignored. */
export type OnCall = (call: StoreCall) => unknown;
