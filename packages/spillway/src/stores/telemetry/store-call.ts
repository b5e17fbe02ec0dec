import type { Decision, Kind, LimitMode, Verb } from "../../limits/core/index.ts";

/** One command to a store and its outcome, for metrics, traces and logs. */
export type StoreCall = {
  readonly verb: Verb;
  /** Milliseconds from the command to its answer, with fractions. */
  readonly duration: number;
  /** Why there is no answer; undefined if there is one. */
  readonly error: Error | undefined;
  /** The outcome for each budget, in the order of the command. */
  readonly outcomes: readonly CallOutcome[];
};

/** The outcome of a command on one budget. */
export type CallOutcome = {
  /** The limit's name. */
  readonly limit: string;
  readonly kind: Kind;
  readonly result: CallResult;
  /** How the limit is enforced. In shadow mode, a refused call is admitted all the same. */
  readonly mode: LimitMode;
  /** Units asked for, or held by the lease; 0 if the command has no such number. */
  readonly count: number;
  /** Units taken: the count of an ask that `limit` admitted; else 0. */
  readonly taken: number;
  /** Milliseconds until the work may start, or until it is worth trying again; else 0. */
  readonly retryAfter: number;
  /** Whether units were taken ahead of time, before they had come back. */
  readonly reserved: boolean;
  /** Whether it was decided without the store. */
  readonly degraded: boolean;
  /** Whether an override of the key decided, in place of the limit's definition. */
  readonly overridden: boolean;
  /** The budget's key, if keys are reported; see `InstrumentedOptions`. */
  readonly key: string | undefined;
};

/**
 * How a command on a budget ended.
 *
 * - `admitted`, or the reason of the refusal: the decision of `limit` and `check`.
 * - `not taken`: it would have been admitted, but another budget of the same command refused.
 * - `held`, `over`: the lease of `release` or `renew` was still in flight, or not.
 * - `done`: the command had another verb.
 * - `failed`: there is no answer; `error` has the reason.
 */
export type CallResult =
  | "admitted"
  | NonNullable<Decision["reason"]>
  | "not taken"
  | "held"
  | "over"
  | "done"
  | "failed";

/** Receives calls. Its errors, thrown or rejected, are ignored. */
export type OnCall = (call: StoreCall) => unknown;
