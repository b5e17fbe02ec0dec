/** What middlewares and other parts of the library need of a limiter, wherever its state lives. */
import type { Answer, Decision, Limits, Mode, StateSnapshot, Value } from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import type { Lease } from "./lease.ts";
import type {
  AcquireOptions,
  AnswerOptions,
  AnyOptions,
  KeyOptions,
  SettleOptions,
  WaitOptions,
} from "./options.ts";

/** At once or promised, as the store is. */
type Answered<T> = Answer<Mode, T>;

/** One of several asks, under a limit of any name. */
type AnyAsk = { readonly limit: string } & AnyOptions;

/**
 * Every `RateLimiter`, and what wraps one. Its methods take any name: only `limits` has the names, from which the types of
 * routes are inferred.
 */
export interface AnyLimiter<L extends Limits = Limits> {
  readonly limits: L;
  limit(limit: string, options?: AnyOptions): Answered<Decision>;
  check(limit: string, options?: AnyOptions): Answered<Decision>;
  limitAll(asks: readonly AnyAsk[], options?: AnswerOptions): Answered<JointAnswer>;
  checkAll(asks: readonly AnyAsk[], options?: AnswerOptions): Answered<Decision>;
  acquire(limit: string, options?: AcquireOptions & Partial<WaitOptions>): Answered<Lease>;
  settle(limit: string, options: SettleOptions): Answered<Value>;
  value(limit: string, options?: KeyOptions): Answered<Value>;
  peek(limit: string, options?: KeyOptions): Answered<StateSnapshot>;
  reset(limit: string, options?: KeyOptions): Answered<void>;
  within(transaction: object): AnyLimiter<L>;
}
