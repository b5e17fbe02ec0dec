/** The words and contracts of the library: limits, decisions, stores. Imports nothing. */

export { abandon, isThenable } from "./abandon.ts";
export type {
  Algorithm,
  KindFamily,
  LendingAlgorithm,
  OtherState,
  RateAlgorithm,
  RatePlan,
  TickConversion,
} from "./algorithm.ts";
export type { Draw, Lent, ShareRef } from "./amounts.ts";
export { shownReason } from "./cause.ts";
export { checkMode, checkWhenUnavailable, LIMIT_FIELDS } from "./check-limit.ts";
export { noPenalties, penaltyOf } from "./check-penalty.ts";
export type { RegionPart } from "./decision.ts";
export {
  admitted,
  asShadow,
  deciding,
  decisionOf,
  joined,
  later,
  refused,
  tookNothing,
  unasked,
} from "./decisions.ts";
export { display } from "./display.ts";
export { FULL_STORES } from "./errors.ts";
export { type HttpResponse, refusalHeaders, refusalStatus } from "./http-refusal.ts";
export { RATE_KINDS, type RateKind } from "./kinds.ts";
export { type LeaseRecord, Leases } from "./leases.ts";
export {
  isConcurrency,
  LIMIT_MODES,
  type LimitMode,
  MOST_UNITS,
  type ReservableKind,
} from "./limit.ts";
export { Log } from "./log.ts";
export { masked } from "./masked.ts";
export { type AsksByBudget, apart, merge } from "./merge.ts";
export { isInstant, isUnits } from "./numbers.ts";
export type { Penalty, PenaltyRecord, PenaltySettings } from "./penalty.ts";
export { printable } from "./printable.ts";
export * from "./public.ts";
export type { RegisterCommandOf, RegisterEntry } from "./register.ts";
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
export type { Drawn, Lending, LendingNumbers, Observer } from "./store.ts";
export { nearest } from "./suggest.ts";
export { consoleWarn, quietWarnings } from "./warnings.ts";
