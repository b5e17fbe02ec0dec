/**
 * The interface that middlewares and other parts of the library need of a limiter over any store.
 */
import type {
  Answer,
  Decision,
  Limits,
  StateSnapshot,
  Timing,
  Value,
} from "../limits/core/index.ts";
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

/** A value or a promise, depending on the store. */
type AnyAnswer<T> = Answer<Timing, T>;

/** One of several asks, on a limit of any name. */
type AnyAsk = { readonly limit: string } & AnyOptions;

/**
 * Every `RateLimiter`, and every wrapper of one.
 *
 * Its methods accept any name. Only `limits` has the names, from which the types of routes are
 * inferred.
 */
export interface AnyLimiter<L extends Limits = Limits> {
  readonly limits: L;
  limit(limit: string, options?: AnyOptions): AnyAnswer<Decision>;
  check(limit: string, options?: AnyOptions): AnyAnswer<Decision>;
  limitAll(asks: readonly AnyAsk[], options?: AnswerOptions): AnyAnswer<JointAnswer>;
  checkAll(asks: readonly AnyAsk[], options?: AnswerOptions): AnyAnswer<Decision>;
  acquire(limit: string, options?: AcquireOptions & Partial<WaitOptions>): AnyAnswer<Lease>;
  settle(limit: string, options: SettleOptions): AnyAnswer<Value>;
  value(limit: string, options?: KeyOptions): AnyAnswer<Value>;
  peek(limit: string, options?: KeyOptions): AnyAnswer<StateSnapshot>;
  reset(limit: string, options?: KeyOptions): AnyAnswer<void>;
  within(transaction: object): AnyLimiter<L>;
}
