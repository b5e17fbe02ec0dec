import { after, asAnswer } from "../internal/index.ts";
import type {
  Answer,
  Decision,
  JointDecision,
  Limits,
  Mode,
  StateSnapshot,
  Value,
} from "../limits/core/index.ts";
import { acquire, run, type Work } from "./acquire.ts";
import { askAll } from "./all.ts";
import { type Asks, checkRate } from "./asks.ts";
import {
  ASK_FIELDS,
  BLOCK_FIELDS,
  blockTime,
  checkSettlement,
  KEY_FIELDS,
  SETTLE_FIELDS,
} from "./check-ask.ts";
import type { CheckedLimits, LimitsInPlaceOrAsConst } from "./checked-limits.ts";
import type {
  DefinedAsk,
  JointAnswer,
  JointAsk,
  LeaseName,
  RateLimiterOptions,
  RateName,
  ReservableName,
  RunOptions,
  WithConfig,
} from "./contracts.ts";
import { finish } from "./finish.ts";
import type { Lease } from "./lease.ts";
import { LimiterParts } from "./limiter-parts.ts";
import type {
  AcquireOptions,
  AnswerOptions,
  AnyOptions,
  AskOptions,
  BlockOptions,
  KeyOptions,
  SettleOptions,
  WaitOptions,
  WithoutReserve,
} from "./options.ts";
import type { DirectStore } from "./store.ts";

/**
 * Decides, for every request or job: go now, go later at a known time, or no and when to come back.
 *
 * Make one for a program, outside request handlers. With a store in this process answers are
 * returned, with one across a network they are promised; `await` serves both. Times are
 * milliseconds. Misuse throws a `SpillwayError` before any state is touched; a refusal is a value.
 *
 * @example
 * const limiter = new RateLimiter({
 *   sendMessage: { kind: "token bucket", rate: 10, period: MINUTE, capacity: 20 },
 * });
 * const { ok, retryAfter } = limiter.limit("sendMessage", { key: userId });
 */
export class RateLimiter<const L extends LimitsInPlaceOrAsConst, M extends Mode = "now"> {
  readonly #parts: LimiterParts<M>;
  readonly #asks: Asks;
  readonly #store: DirectStore<M>;

  /**
   * Creates a limiter of some limits, in memory by default.
   *
   * @param limits The limits, by name.
   * @throws SpillwayError where a limit is not one, naming the limit and the field; `bad-store`.
   */
  constructor(limits: L & CheckedLimits<L>, options?: RateLimiterOptions<M>);
  constructor(given: Limits | LimiterParts<M>, options: RateLimiterOptions<M> = {}) {
    this.#parts = given instanceof LimiterParts ? given : LimiterParts.of(given, options);
    this.#asks = this.#parts.asks;
    this.#store = this.#parts.store;
  }

  /** The limits that it was made with, by name: for those who show them to others. */
  get limits(): L {
    return this.#parts.limits as L;
  }

  /**
   * Takes units from a key's budget, if they are there.
   *
   * A refusal takes nothing. With `reserve`, units that are not there yet are taken ahead of time and
   * the work may start after `retryAfter`, without asking again.
   *
   * @throws SpillwayError for misuse; `RateLimitError` for a refusal where `throws` is set.
   * @example
   * const { ok, reason, retryAfter } = await limiter.limit("sendMessage", { key: userId });
   * if (!ok) return `${reason}: try again in ${retryAfter} ms`;
   */
  limit(limit: string, options: WithConfig<AskOptions>): Answer<M, Decision>;
  limit(limit: ReservableName<L>, options?: AskOptions): Answer<M, Decision>;
  limit(limit: RateName<L>, options?: WithoutReserve<AskOptions>): Answer<M, Decision>;
  limit(limit: string, options?: AnyOptions): Answer<M, Decision> {
    const answer = this.#store.limit(this.#asks.ask(limit, options, ASK_FIELDS));
    const isFinal = options === undefined || (!options.throws && options.jitter === undefined);
    return isFinal ? answer : finish(this.#parts, answer, options);
  }

  /** Answers what `limit` would answer now, and takes nothing. Not a promise of what comes next. */
  check(limit: string, options: WithConfig<AskOptions>): Answer<M, Decision>;
  check(limit: ReservableName<L>, options?: AskOptions): Answer<M, Decision>;
  check(limit: keyof L & string, options?: WithoutReserve<AskOptions>): Answer<M, Decision>;
  check(limit: string, options?: AnyOptions): Answer<M, Decision> {
    const ask = this.#asks.anyAsk(limit, options, ASK_FIELDS);
    const checked = this.#store.execute({ verb: "check", budgets: [ask] });
    const answer = after(this.#store.mode as M, checked, ([one]) => one as Decision);
    if (ask.plan.family.name !== "leases") return finish(this.#parts, answer, options);
    return finish(this.#parts, this.#parts.estimate(ask, answer), options);
  }

  /**
   * Takes from several budgets: from all of them, or, if any refuses, from none.
   *
   * Asks on one budget count together. The answer names the limits that refused, and its
   * `retryAfter` is the longest of their waits.
   *
   * @throws SpillwayError for misuse, `bad-ask` for no asks; `RateLimitError` with `throws`.
   * @example
   * const { ok, refused, retryAfter } = await limiter.limitAll([
   *   { limit: "requests", key: userId },
   *   { limit: "llmTokens", key: orgId, count: 900 },
   * ]);
   */
  limitAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>>;
  // Once more, without `config`: the compiler's errors speak of the last overload.
  limitAll(asks: readonly DefinedAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>>;
  limitAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>> {
    return askAll(this.#parts, asks, { verb: "limit", options });
  }

  /** Answers what `limitAll` would answer now, and takes nothing. */
  checkAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision>;
  checkAll(asks: readonly DefinedAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision>;
  checkAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision> {
    return askAll(this.#parts, asks, { verb: "check", options });
  }

  /**
   * Takes a lease: the right to be in flight until it is released, or its `ttl` is over.
   *
   * The lease is the decision as well; where it is not `ok` nothing is held. With `wait`, a call that
   * would be refused waits for others to end, and is refused when its time is over; who waits in this
   * process comes first who asked first. Units in flight elsewhere are looked for ever more rarely.
   *
   * @throws SpillwayError for misuse, `wrong-kind` for a rate; `RateLimitError` with `throws`.
   * @example
   * const lease = await limiter.acquire("reports", { key: user });
   * if (!lease.ok) return tooBusy(lease.retryAfter);
   * try {
   *   return await write(user);
   * } finally {
   *   await lease.release();
   * }
   */
  acquire(limit: string, options: WithConfig<AcquireOptions & WaitOptions>): Promise<Lease<M>>;
  acquire(limit: LeaseName<L>, options: AcquireOptions & WaitOptions): Promise<Lease<M>>;
  acquire(limit: string, options: WithConfig<AcquireOptions>): Answer<M, Lease<M>>;
  acquire(limit: LeaseName<L>, options?: AcquireOptions): Answer<M, Lease<M>>;
  acquire(
    limit: string,
    options?: AcquireOptions & Partial<WaitOptions>,
  ): Answer<M, Lease<M>> | Promise<Lease<M>> {
    return acquire(this.#parts, { limit, options, answer: options });
  }

  /**
   * Does work under a lease: acquires it, renews it while the work is under way, and releases it.
   *
   * @param work Given a signal that is aborted if the lease is lost, as when the store or the process
   *   was away for longer than its `ttl`: it should stop then.
   * @returns What the work returns, or rejects with.
   * @throws RateLimitError where there is no lease to be had; SpillwayError for misuse.
   * @example
   * const text = await limiter.run("reports", { key: userId, wait: "10s" }, (lost) =>
   *   fetch(url, { signal: lost }).then((response) => response.text()),
   * );
   */
  run<T>(limit: string, options: WithConfig<RunOptions>, work: Work<T>): Promise<T>;
  run<T>(limit: LeaseName<L>, options: RunOptions, work: Work<T>): Promise<T>;
  run<T>(limit: LeaseName<L>, work: Work<T>): Promise<T>;
  run<T>(limit: string, first: RunOptions | Work<T>, second?: Work<T>): Promise<T> {
    return run(this.#parts, limit, [first, second]);
  }

  /**
   * Replaces an estimate that was taken by the number really used, and returns what is left.
   *
   * More than the estimate is charged without refusal, into debt if need be. Less gives units back,
   * never more than are still missing and unsettled: what time has brought back already, or what was
   * settled before, does not come back twice. A leaky bucket gives none back, for the starts that it
   * promised stand. Settle once for each call, soon after the work.
   *
   * @throws SpillwayError `bad-settlement`, `bad-key`, `unknown-limit`.
   * @example
   * await limiter.settle("llmTokens", { key: orgId, reserved: 60_000, used: 48_211 });
   */
  settle(limit: string, options: WithConfig<SettleOptions>): Answer<M, Value>;
  settle(limit: RateName<L>, options: SettleOptions): Answer<M, Value>;
  settle(limit: string, options: SettleOptions): Answer<M, Value> {
    const budget = this.#asks.budget(limit, options, SETTLE_FIELDS);
    checkRate(budget.plan);
    return this.#store.execute({
      verb: "settle",
      budgets: [budget],
      settlement: checkSettlement(limit, options),
    });
  }

  /** Reads what a key has left, for a page or a log. To decide, use `limit`. */
  value(limit: string, options: WithConfig<KeyOptions>): Answer<M, Value>;
  value(limit: keyof L & string, options?: KeyOptions): Answer<M, Value>;
  value(limit: string, options?: KeyOptions): Answer<M, Value> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    return this.#store.execute({ verb: "value", budgets: [budget] });
  }

  /**
   * Copies the state of a key, for those who go on counting elsewhere by the steps of
   * `spillway/algorithms`. Of a limit with shards it is no shard's: use `value` for those.
   */
  peek(limit: string, options: WithConfig<KeyOptions>): Answer<M, StateSnapshot>;
  peek(limit: keyof L & string, options?: KeyOptions): Answer<M, StateSnapshot>;
  peek(limit: string, options?: KeyOptions): Answer<M, StateSnapshot> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    const peeked = this.#store.execute({ verb: "peek", budgets: [budget] });
    return after(this.#store.mode as M, peeked, ([one]) => one as StateSnapshot);
  }

  /** Forgets what a key has used, as after a login that succeeded. A block stays. */
  reset(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  reset(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  reset(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    const answer = this.#store.execute({ verb: "reset", budgets: [budget] });
    this.#parts.leaseContext.freed(budget, 0, 0);
    return answer;
  }

  /**
   * Refuses everything a key asks for a time, with reason `blocked`. Replaces an earlier block.
   *
   * @throws SpillwayError `bad-block`, `bad-key`, `unknown-limit`.
   */
  block(limit: string, options: WithConfig<BlockOptions>): Answer<M, void>;
  block(limit: keyof L & string, options: BlockOptions): Answer<M, void>;
  block(limit: string, options: BlockOptions): Answer<M, void> {
    const budget = this.#asks.budget(limit, options, BLOCK_FIELDS);
    const ms = blockTime(limit, options);
    this.#asks.noteBlock(limit, options.for);
    return this.#store.execute({ verb: "block", budgets: [budget], ms });
  }

  /** Ends a block before its time. What the key has used stays. */
  unblock(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  unblock(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  unblock(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    return this.#store.execute({ verb: "unblock", budgets: [budget] });
  }

  /**
   * The same limits in a transaction of the caller's: what is taken, settled, reset or blocked there
   * is so when it commits, and never was when it is rolled back, be it to a savepoint.
   *
   * Errors of the database are thrown as they are, for they have failed the transaction as well;
   * `whenUnavailable` answers nothing here. Until the transaction ends others wait for the budgets
   * that it has taken from: take late in it, and several at once by `limitAll`.
   *
   * @param transaction What the database's library calls one; see the page of the store.
   * @throws SpillwayError `no-transactions` where the store has none, as in memory or in Redis;
   *   `bad-transaction` for what is none.
   */
  within(transaction: object): RateLimiter<L, M> {
    // Of parts that are there already: programs have none.
    return Reflect.construct(RateLimiter, [this.#parts.within(transaction)]);
  }

  /**
   * Gives back the units that the store has lent to this process, for limits with `share`: to be called when the
   * program ends. From then on each request goes to the store, from this limiter and from others on that store.
   * Does nothing where the store lends nothing.
   */
  giveBack(): Answer<M, void> {
    return this.#store.lending?.giveBack() ?? asAnswer(this.#store.mode, undefined);
  }

  /** Gives back what is lent, with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.giveBack();
  }
}
