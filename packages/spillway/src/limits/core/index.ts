/** Words and contracts: what a limit, a decision and a store are. Imports nothing. */
export type {
  Algorithm,
  Amount,
  Counts,
  Draw,
  Family,
  InitialState,
  LeaseAsk,
  LeaseRef,
  LendingAlgorithm,
  Lent,
  Pace,
  Plan,
  RateAlgorithm,
  RatePlan,
  Settlement,
  ShareRef,
} from "./algorithm.ts";
export { budgetId } from "./budget-id.ts";
export { shownReason } from "./cause.ts";
export { checkLimit, checkWhenUnavailable, LIMIT_FIELDS } from "./check-limit.ts";
export { type Clock, checkedClock, systemClock } from "./clock.ts";
export type { Decision, JointDecision, Reason, RegionPart, Value } from "./decision.ts";
export { display } from "./display.ts";
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
export { type HttpResponse, refusalHeaders, refusalStatus } from "./http-refusal.ts";
export { RATE_KINDS, type RateKind } from "./kinds.ts";
export { type LeaseRecord, Leases } from "./leases.ts";
export {
  type Concurrency,
  type FixedWindow,
  isConcurrency,
  type Kind,
  type LeakyBucket,
  type Limit,
  type Limits,
  MOST_UNITS,
  type Rate,
  type ReservableKind,
  type SlidingLog,
  type SlidingWindow,
  type TokenBucket,
  type WhenUnavailable,
} from "./limit.ts";
export { Log } from "./log.ts";
export { masked } from "./masked.ts";
export { printable } from "./printable.ts";
export type { Random } from "./random.ts";
export { retryAt } from "./retry-at.ts";
export {
  afterDelay,
  afterTurn,
  alarm,
  elapsed,
  LONGEST_TIMER,
  type Scheduler,
  timersEndWithRequests,
} from "./scheduler.ts";
export { type OtherState, State } from "./state.ts";
export type {
  Answer,
  AnswerTo,
  Ask,
  Budget,
  Command,
  CommandOf,
  Drawn,
  Lending,
  LendingNumbers,
  LimitSettings,
  Mode,
  Observer,
  StateSnapshot,
  Store,
  StoreWithin,
  Verb,
  Verbs,
} from "./store.ts";
export { nearest } from "./suggest.ts";
export { consoleWarn, quietWarnings, type Warn } from "./warnings.ts";
