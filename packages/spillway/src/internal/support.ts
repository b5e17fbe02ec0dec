/** What `spillway/support` exports: helpers that the service needs too. Unstable: any release may change them. */
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
  masked,
  merge,
  nearest,
  printable,
  RATE_KINDS,
  type Scheduler,
  shownReason,
} from "../limits/core/index.ts";
export { chain, type Maybe, together } from "./now-or-later.ts";
