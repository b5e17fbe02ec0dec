/**
 * The exports of `spillway/support`: helpers that the service also needs. Unstable: any release may
 * change them.
 */
export { overrideCommand } from "../limits/algorithms/index.ts";
export {
  afterDelay,
  afterTurn,
  alarm,
  apart,
  consoleWarn,
  deciding,
  decisionOf,
  display,
  elapsed,
  joined,
  later,
  MOST_UNITS,
  merge,
  nearest,
  penaltyOf,
  printable,
  RATE_KINDS,
  shownReason,
} from "../limits/core/index.ts";
export { HeldTimes } from "./held-times.ts";
export { chain, type MaybePromise, together } from "./now-or-later.ts";
