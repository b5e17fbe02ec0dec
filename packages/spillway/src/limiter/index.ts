/** Names, keys, options: what a program asks, made into what a store is asked. */
export type {
  AmountOptions,
  AnswerOptions,
  AskOptions,
  BlockOptions,
  KeyOptions,
  SettleOptions,
} from "./options.ts";
export { type JointAsk, RateLimiter, type RateLimiterOptions } from "./rate-limiter.ts";
