/**
 * The exports of `spillway/core`: the words for limits, and the contracts of decisions and stores.
 */
export { type Plan, State } from "./algorithm.ts";
export type { Amount, LeaseAsk, LeaseRef, Settlement } from "./amounts.ts";
export { budgetId } from "./budget-id.ts";
export { checkLimit } from "./check-limit.ts";
export { type Clock, checkedClock, systemClock } from "./clock.ts";
export type { Decision, JointDecision, Reason, Value } from "./decision.ts";
export {
  DAY,
  type Duration,
  HOUR,
  LONGEST,
  MINUTE,
  milliseconds,
  SECOND,
  WEEK,
} from "./durations.ts";
export {
  ERROR_CODES,
  type ErrorCode,
  type Problem,
  RateLimitError,
  SpillwayError,
} from "./errors.ts";
export type {
  Concurrency,
  FixedWindow,
  Kind,
  LeakyBucket,
  Limit,
  Limits,
  Rate,
  SlidingLog,
  SlidingWindow,
  TokenBucket,
  WhenUnavailable,
} from "./limit.ts";
export type { Random } from "./random.ts";
export type { RegisterAnswer, RegisterCommand } from "./register.ts";
export type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  CommandOf,
  LimitSettings,
  StateSnapshot,
  Store,
  StoreWithin,
  Timing,
  Verb,
  Verbs,
} from "./store.ts";
export type { Warn } from "./warnings.ts";
