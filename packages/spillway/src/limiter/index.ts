/** Names, keys, options: what a program asks, made into what a store is asked. */
export type { JointAnswer, JointAsk, RateLimiterOptions, RunOptions } from "./contracts.ts";
export { Lease } from "./lease.ts";
export type {
  AcquireOptions,
  AmountOptions,
  AnswerOptions,
  AskOptions,
  BlockOptions,
  KeyOptions,
  SettleOptions,
  StopSignal,
  WaitOptions,
} from "./options.ts";
export { RateLimiter } from "./rate-limiter.ts";
export type { LostSignal } from "./while-held.ts";
