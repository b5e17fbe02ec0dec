/** Converts the names, keys and options of a program to commands for a store. */

export type { LostSignal, StopSignal } from "../internal/index.ts";
export type { AnyLimiter } from "./any-limiter.ts";
export { checkJitter, noReservations } from "./check-ask.ts";
export type { CheckedLimits } from "./checked-limits.ts";
export type {
  JointAnswer,
  JointAsk,
  RateLimiterOptions,
  RateName,
  RunOptions,
} from "./contracts.ts";
export type { ExceptionPage, KeyException } from "./exceptions/exception-page.ts";
export { spread } from "./finish.ts";
export { Lease } from "./lease.ts";
export type {
  AcquireOptions,
  AmountOptions,
  AnswerOptions,
  AskOptions,
  BlockOptions,
  ExceptionsOptions,
  KeyOptions,
  OverrideOptions,
  SettleOptions,
  WaitOptions,
} from "./options.ts";
export { RateLimiter } from "./rate-limiter.ts";
export { type SleepOptions, sleep, sleepBy } from "./sleep.ts";
export { whileHeld } from "./while-held.ts";
