import {
  type Answer,
  type Ask,
  after,
  type Budget,
  checkOptions,
  checkWhenUnavailable,
  consoleWarn,
  type Decision,
  type JointDecision,
  type Limit,
  type Limits,
  type Mode,
  type Random,
  RateLimitError,
  SpillwayError,
  type Store,
  systemRandom,
  type Value,
  type Warn,
  type WhenUnavailable,
} from "../core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import { noteBirth } from "./birthplace.ts";
import { joint, type Merged, merge } from "./joint.ts";
import { badKey, storedKey } from "./key.ts";
import {
  AMOUNT_FIELDS,
  type AmountOptions,
  ANSWER_FIELDS,
  type AnswerOptions,
  ASK_FIELDS,
  type AskOptions,
  BLOCK_FIELDS,
  type BlockOptions,
  blockTime,
  checkCount,
  checkFields,
  checkFlag,
  checkFunctions,
  checkJitter,
  checkReserve,
  checkSettlement,
  KEY_FIELDS,
  type KeyOptions,
  SETTLE_FIELDS,
  type SettleOptions,
} from "./options.ts";
import { Plans } from "./plans.ts";
import { checkStore } from "./store.ts";

/** Settings of a limiter. */
export type RateLimiterOptions<M extends Mode = Mode> = {
  /** Where state lives: a memory store of its own unless said. */
  readonly store?: Store<M>;
  /** Where jitter comes from. */
  readonly random?: Random;
  /** Where warnings go: the console unless said. */
  readonly warn?: Warn;
  /**
   * What to answer while a shared store gives none, for limits that don't say: `"closed"` refuses
   * with reason `unavailable`, `"open"` admits, `"local"` counts in this process. `"closed"` unless
   * said.
   */
  readonly whenUnavailable?: WhenUnavailable;
};

/** Options with the limit they are for, where no limit of that name is defined. */
type WithConfig<O> = O & { readonly config: Limit };

/** The most asks that are taken together: a store does them in one indivisible step. */
const MOST_ASKS = 1000;

/** One of several asks that are taken together. */
export type JointAsk<L extends Limits = Limits> =
  | ({ readonly limit: keyof L & string } & AmountOptions)
  | ({ readonly limit: string } & WithConfig<AmountOptions>);

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
export class RateLimiter<const L extends Limits, M extends Mode = "now"> {
  readonly #plans: Plans;
  readonly #store: Store<M>;
  readonly #random: Random;
  /** Asks whose option names are still looked at: a misspelt one is there from a program's start. */
  #unchecked = 1000;

  /**
   * @param limits The limits, by name.
   * @throws SpillwayError where a limit is not one, naming the limit and the field; `bad-store`.
   */
  constructor(limits: L, options: RateLimiterOptions<M> = {}) {
    checkOptions("RateLimiter", options, ["store", "random", "warn", "whenUnavailable"]);
    const {
      store,
      random = systemRandom,
      warn = consoleWarn,
      whenUnavailable = "closed",
    } = options;
    checkFunctions({ random, warn });
    checkWhenUnavailable(whenUnavailable);
    // Plans are what a limiter makes another one of itself from; see `within`.
    this.#plans = limits instanceof Plans ? limits : new Plans(limits, { warn, whenUnavailable });
    if (store === undefined) noteBirth(warn);
    this.#store = store === undefined ? (memoryStore() as unknown as Store<M>) : checkStore(store);
    this.#random = random;
  }

  /**
   * Takes units from a key's budget, if they are there.
   *
   * A refusal takes nothing. With `reserve`, units that are not there yet are taken ahead of time and
   * the work may start after `retryAfter`, without asking again.
   *
   * @throws SpillwayError for misuse; `RateLimitError` for a refusal where `throws` is set.
   */
  limit(limit: string, options: WithConfig<AskOptions>): Answer<M, Decision>;
  limit(limit: keyof L & string, options?: AskOptions): Answer<M, Decision>;
  limit(limit: string, options?: AskOptions): Answer<M, Decision> {
    const ask = this.#ask(limit, options, ASK_FIELDS);
    return this.#finish(this.#store.limit(ask), options);
  }

  /** Answers what `limit` would answer now, and takes nothing. Not a promise of what comes next. */
  check(limit: string, options: WithConfig<AskOptions>): Answer<M, Decision>;
  check(limit: keyof L & string, options?: AskOptions): Answer<M, Decision>;
  check(limit: string, options?: AskOptions): Answer<M, Decision> {
    const ask = this.#ask(limit, options, ASK_FIELDS);
    return this.#finish(this.#store.check(ask), options);
  }

  /**
   * Takes from several budgets: from all of them, or, if any refuses, from none.
   *
   * Asks on one budget count together. The answer names the limits that refused, and its
   * `retryAfter` is the longest of their waits.
   *
   * @throws SpillwayError for misuse, `bad-ask` for no asks; `RateLimitError` with `throws`.
   */
  limitAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision> {
    const merged = this.#merge(asks, options);
    const answers = this.#store.limitAll(merged.asks);
    return this.#finish(
      after(this.#store.mode as M, answers, (each) => joint(merged, each)),
      options,
    );
  }

  /** Answers what `limitAll` would answer now, and takes nothing. */
  checkAll(asks: readonly JointAsk<L>[], options?: AnswerOptions): Answer<M, JointDecision> {
    const merged = this.#merge(asks, options);
    const answers = this.#store.checkAll(merged.asks);
    return this.#finish(
      after(this.#store.mode as M, answers, (each) => joint(merged, each)),
      options,
    );
  }

  /**
   * Replaces an estimate that was taken by the number really used, and tells what is left.
   *
   * More than the estimate is charged without refusal, into debt if need be. Less gives units back,
   * never more than are still missing and unsettled: what time has brought back already, or what was
   * settled before, does not come back twice. A leaky bucket gives none back, for the starts that it
   * promised stand. Settle once for each ask, soon after the work.
   *
   * @throws SpillwayError `bad-settlement`, `bad-key`, `unknown-limit`.
   */
  settle(limit: string, options: WithConfig<SettleOptions>): Answer<M, Value>;
  settle(limit: keyof L & string, options: SettleOptions): Answer<M, Value>;
  settle(limit: string, options: SettleOptions): Answer<M, Value> {
    const budget = this.#budget(limit, options, SETTLE_FIELDS);
    return this.#store.settle(budget, checkSettlement(limit, options));
  }

  /** Reads what a key has left, for a page or a log. To decide, use `limit`. */
  value(limit: string, options: WithConfig<KeyOptions>): Answer<M, Value>;
  value(limit: keyof L & string, options?: KeyOptions): Answer<M, Value>;
  value(limit: string, options?: KeyOptions): Answer<M, Value> {
    const budget = this.#budget(limit, options, KEY_FIELDS);
    return this.#store.value(budget);
  }

  /** Forgets what a key has used, as after a login that succeeded. A block stays. */
  reset(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  reset(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  reset(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#budget(limit, options, KEY_FIELDS);
    return this.#store.reset(budget);
  }

  /**
   * Refuses everything a key asks for a time, with reason `blocked`. Replaces an earlier block.
   *
   * @throws SpillwayError `bad-block`, `bad-key`, `unknown-limit`.
   */
  block(limit: string, options: WithConfig<BlockOptions>): Answer<M, void>;
  block(limit: keyof L & string, options: BlockOptions): Answer<M, void>;
  block(limit: string, options: BlockOptions): Answer<M, void> {
    const budget = this.#budget(limit, options, BLOCK_FIELDS);
    return this.#store.block(budget, blockTime(limit, options));
  }

  /** Ends a block before its time. What the key has used stays. */
  unblock(limit: string, options: WithConfig<KeyOptions>): Answer<M, void>;
  unblock(limit: keyof L & string, options?: KeyOptions): Answer<M, void>;
  unblock(limit: string, options?: KeyOptions): Answer<M, void> {
    const budget = this.#budget(limit, options, KEY_FIELDS);
    return this.#store.unblock(budget);
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
    const { within } = this.#store;
    if (within === undefined) {
      throw new SpillwayError({
        code: "no-transactions",
        field: "store",
        value: this.#store,
        expected:
          "a store that keeps its states in a database, such as postgresStore or sqliteStore",
      });
    }
    const store = within.call(this.#store, transaction);
    return new RateLimiter<L, M>(this.#plans as unknown as L, { store, random: this.#random });
  }

  #ask(limit: string, options: AskOptions | undefined, known: ReadonlySet<string>): Ask {
    const { plan, key } = this.#budget(limit, options, known);
    if (options === undefined) return { plan, key, count: 1, reserve: false };
    const { count = 1, reserve = false, jitter, throws } = options;
    if (count !== 1) checkCount(limit, count);
    if (reserve !== false) checkReserve(plan, reserve);
    if (jitter !== undefined) checkJitter(jitter);
    if (throws !== undefined) checkFlag("throws", throws);
    return { plan, key, count, reserve };
  }

  #budget(limit: string, options: KeyOptions | undefined, known: ReadonlySet<string>): Budget {
    if (options === undefined) return { plan: this.#plans.defined(limit), key: undefined };
    if (this.#unchecked > 0) this.#checkFields(limit, options, known);
    const key = options?.key;
    const config = options?.config;
    const plan =
      config === undefined ? this.#plans.defined(limit) : this.#plans.inline(limit, config);
    if (typeof key === "string") return { plan, key: storedKey(key) };
    checkFields(limit, options, known);
    if ("key" in options) throw badKey(limit, key);
    return { plan, key: undefined };
  }

  #checkFields(limit: string, options: object, known: ReadonlySet<string>): void {
    this.#unchecked--;
    checkFields(limit, options, known);
  }

  #merge(asks: readonly JointAsk<L>[], options: AnswerOptions = {}): Merged {
    if (!Array.isArray(asks) || asks.length === 0 || asks.length > MOST_ASKS) {
      const expected = `an array of 1 to ${MOST_ASKS} asks`;
      throw new SpillwayError({ code: "bad-ask", field: "asks", value: asks, expected });
    }
    checkFields("", options, ANSWER_FIELDS);
    if (options.jitter !== undefined) checkJitter(options.jitter);
    if (options.throws !== undefined) checkFlag("throws", options.throws);
    return merge(asks.map((ask) => this.#oneOf(ask)));
  }

  #oneOf(ask: JointAsk<L>): Ask {
    if (typeof ask !== "object" || ask === null) {
      const expected = 'an ask such as { limit: "login", key: userId }';
      throw new SpillwayError({ code: "bad-ask", field: "ask", value: ask, expected });
    }
    const { limit, ...options } = ask;
    return this.#ask(limit, options, AMOUNT_FIELDS);
  }

  #finish<D extends Decision>(
    answer: Answer<M, D>,
    options: AnswerOptions | undefined,
  ): Answer<M, D> {
    if (options === undefined) return answer;
    const { throws, jitter } = options;
    if (!throws && jitter === undefined) return answer;
    return after(this.#store.mode as M, answer, (decision) => {
      const final = jitter === undefined ? decision : this.#later(decision, jitter);
      if (throws && !final.ok) throw new RateLimitError(final);
      return final;
    });
  }

  #later<D extends Decision>(decision: D, jitter: number): D {
    if (decision.retryAfter === 0) return decision;
    const later = Math.floor(this.#random() * (jitter + 1));
    return { ...decision, retryAfter: decision.retryAfter + later };
  }
}
