/** Rate limits in the memory of one process, in a few kilobytes: for browsers and edge workers. */
export type {
  Clock,
  Decision,
  Duration,
  ErrorCode,
  Reason,
  Value,
} from "../../limits/core/index.ts";
export type { MemoryStats } from "../../stores/memory/index.ts";
export { CodedError } from "./coded-error.ts";
export {
  fixedWindow,
  leakyBucket,
  type SmallLimit,
  slidingLog,
  slidingWindow,
  tokenBucket,
} from "./kinds.ts";
export { limiter, type SmallLimiter } from "./small-limiter.ts";
