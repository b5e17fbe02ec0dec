import { after, asAnswer } from "../internal/index.ts";
import type {
  Answer,
  Decision,
  JointDecision,
  Limits,
  StateSnapshot,
  Timing,
  Value,
} from "../limits/core/index.ts";
import { acquire, type LeasedWork, run } from "./acquire.ts";
import { askAll } from "./all.ts";
import type { Asks } from "./asks.ts";
import { ASK_FIELDS, checkSettlement, KEY_FIELDS, SETTLE_FIELDS } from "./check-ask.ts";
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
import { KeyExceptions } from "./key-exceptions.ts";
import type { Lease } from "./lease.ts";
import { LimiterParts } from "./limiter-parts.ts";
import type {
  AcquireOptions,
  AnswerOptions,
  AnyOptions,
  AskOptions,
  KeyOptions,
  SettleOptions,
  WaitOptions,
  WithoutReserve,
} from "./options.ts";
import type { DirectStore } from "./store.ts";

/**
 * Decides for each request or job: start now, start at a known time, or refuse until a known time.
 *
 * Create one for the whole program, outside of request handlers. A store in this process returns
 * its answers, a store across a network promises them; `await` serves both. Times are in
 * milliseconds. Misuse throws a `SpillwayError` before any state is touched; a refusal is a value.
 *
 * @example
 * const limiter = new RateLimiter({
 *   sendMessage: { kind: "token bucket", rate: 10, period: MINUTE, capacity: 20 },
 * });
 * const { ok, retryAfter } = limiter.limit("sendMessage", { key: userId });
 */
export class RateLimiter<
  const L extends LimitsInPlaceOrAsConst,
  M extends Timing = "now",
> extends KeyExceptions<L, M> {
  readonly #parts: LimiterParts<M>;
  readonly #asks: Asks;
  readonly #store: DirectStore<M>;

  /**
   * Creates a limiter. Default: in memory.
   *
   * @param limits The limits, by name.
   * @throws SpillwayError if a limit, the store or an option is invalid, with the field.
   * @example
   * const limiter = new RateLimiter({ api: { kind: "token bucket", rate: 10, period: SECOND } });
   */
  constructor(limits: L & CheckedLimits<L>, options?: RateLimiterOptions<M>);
  constructor(given: Limits | LimiterParts<M>, options: RateLimiterOptions<M> = {}) {
    const parts = given instanceof LimiterParts ? given : LimiterParts.of(given, options);
    super(parts);
    this.#parts = parts;
    this.#asks = parts.asks;
    this.#store = this.#parts.store;
  }

  /**
   * Takes units from a key's budget, if they are there.
   *
   * A refusal takes nothing. With `reserve`, units that are not there yet are taken ahead of time.
   * The work may then start after `retryAfter`, without a second call.
   *
   * @throws SpillwayError for misuse; `RateLimitError` for a refusal if `throws` is set.
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

  /** Returns what `limit` would return now, and takes nothing. A later call may differ. */
  check(limit: string, options: WithConfig<AskOptions>): Answer<M, Decision>;
  check(limit: ReservableName<L>, options?: AskOptions): Answer<M, Decision>;
  check(limit: keyof L & string, options?: WithoutReserve<AskOptions>): Answer<M, Decision>;
  check(limit: string, options?: AnyOptions): Answer<M, Decision> {
    const ask = this.#asks.anyAsk(limit, options, ASK_FIELDS);
    const checked = this.#store.execute({ verb: "check", budgets: [ask] });
    const answer = after(this.#store.timing as M, checked, ([one]) => one as Decision);
    if (ask.plan.family.name !== "leases") return finish(this.#parts, answer, options);
    return finish(this.#parts, this.#parts.estimate(ask, answer), options);
  }

  /**
   * Takes from several budgets: from all of them, or from none if any refuses.
   *
   * Asks on one budget are added up. The answer names the limits that refused. Its `retryAfter` is
   * the longest of their waits.
   *
   * @throws SpillwayError for misuse, `bad-ask` without asks; `RateLimitError` with `throws`.
   * @example
   * const { ok, refused, retryAfter } = await limiter.limitAll([
   *   { limit: "requests", key: userId },
   *   { limit: "llmTokens", key: orgId, count: 900 },
   * ]);
   */
  limitAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>>;
  // Repeated without `config`, because compiler errors refer to the last overload.
  limitAll(asks: readonly DefinedAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>>;
  limitAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointAnswer<M>> {
    return askAll(this.#parts, asks, { verb: "limit", options });
  }

  /** Returns what `limitAll` would return now, and takes nothing. */
  checkAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision>;
  checkAll(asks: readonly DefinedAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision>;
  checkAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision> {
    return askAll(this.#parts, asks, { verb: "check", options });
  }

  /**
   * Takes a lease: the right to be in flight until it is released or its `ttl` is over.
   *
   * The lease is also the decision; if it is not `ok`, nothing is held. With `wait`, a call that
   * would be refused waits for other leases to end, and is refused when its time is over. Calls
   * that wait in this process are served first come, first served.
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
   * Runs work under a lease: acquires it, renews it while the work runs, and releases it.
   *
   * @param work Receives a signal that is aborted if the lease is lost, for example because the
   * store was unavailable for longer than its `ttl`. The work should stop then.
   * @returns The result of the work, or its rejection.
   * @throws RateLimitError if no lease is granted; SpillwayError for misuse.
   * @example
   * const text = await limiter.run("reports", { key: userId, wait: "10s" }, (lost) =>
   *   fetch(url, { signal: lost }).then((response) => response.text()),
   * );
   */
  run<T>(limit: string, options: WithConfig<RunOptions>, work: LeasedWork<T>): Promise<T>;
  run<T>(limit: LeaseName<L>, options: RunOptions, work: LeasedWork<T>): Promise<T>;
  run<T>(limit: LeaseName<L>, work: LeasedWork<T>): Promise<T>;
  run<T>(limit: string, first: RunOptions | LeasedWork<T>, second?: LeasedWork<T>): Promise<T> {
    return run(this.#parts, limit, [first, second]);
  }

  /**
   * Replaces an estimate with the number really used, and returns what is left.
   *
   * A larger number is charged without refusal, into debt if necessary. A smaller number gives
   * units back, but only those still missing and unsettled: none comes back twice. A leaky bucket
   * gives none back, because its starts are fixed. Settle once for each call, soon after the work.
   *
   * @throws SpillwayError `bad-settlement`, `bad-key`, `unknown-limit`.
   * @example
   * await limiter.settle("llmTokens", { key: orgId, reserved: 60_000, used: 48_211 });
   */
  settle(limit: string, options: WithConfig<SettleOptions>): Answer<M, Value>;
  settle(limit: RateName<L>, options: SettleOptions): Answer<M, Value>;
  settle(limit: string, options: SettleOptions): Answer<M, Value> {
    const budget = this.#asks.settled(limit, options, SETTLE_FIELDS);
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
   * Copies the state of a key, for programs that continue to count elsewhere.
   *
   * The steps of `spillway/algorithms` do so. Not for limits with shards: use `value`.
   */
  peek(limit: string, options: WithConfig<KeyOptions>): Answer<M, StateSnapshot>;
  peek(limit: keyof L & string, options?: KeyOptions): Answer<M, StateSnapshot>;
  peek(limit: string, options?: KeyOptions): Answer<M, StateSnapshot> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    const peeked = this.#store.execute({ verb: "peek", budgets: [budget] });
    return after(this.#store.timing as M, peeked, ([one]) => one as StateSnapshot);
  }

  /** Forgets what a key has used, for example after a successful login. A block stays. */
  reset(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  reset(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  reset(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#asks.budget(limit, options, KEY_FIELDS);
    const answer = this.#store.execute({ verb: "reset", budgets: [budget] });
    this.#parts.leaseContext.freed(budget, 0, 0);
    return answer;
  }

  /**
   * Returns a limiter of the same limits in a transaction of the caller.
   *
   * Its calls take effect at the commit. A rollback undoes them, also to an earlier savepoint.
   * Errors of the database are thrown unchanged, and `whenUnavailable` does not apply. Until the
   * transaction ends, other callers wait for its budgets: take late, and several by `limitAll`.
   *
   * @param transaction The transaction object of the database's library; see the page of the store.
   * @throws SpillwayError `no-transactions` for memory, Redis and others; `bad-transaction`.
   */
  within(transaction: object): RateLimiter<L, M> {
    // Called with existing parts, which programs can't pass.
    return Reflect.construct(RateLimiter, [this.#parts.within(transaction)]);
  }

  /**
   * Gives back the units that the store has lent to this process, for limits with `share`.
   *
   * Call it when the program ends. From then on all limiters on the store send it every call.
   */
  giveBack(): Answer<M, void> {
    return this.#store.lending?.giveBack() ?? asAnswer(this.#store.timing, undefined);
  }

  /** Gives back lent units at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.giveBack();
  }
}
