/// <reference lib="esnext.disposable" preserve="true" />

import {
  after,
  allOf,
  asAnswer,
  laterBy,
  msUntil,
  type Reading,
  readNow,
} from "../internal/index.ts";
import type { Answer, Budget, Decision, LeaseRef, Mode, Reason } from "../limits/core/index.ts";
import { elapsed } from "../limits/core/index.ts";
import type { ChangeLease } from "./outliving.ts";
import type { Renewals } from "./renewals.ts";

/** Whose units a lease holds. */
export type Holding = { readonly budget: Budget; readonly lease: LeaseRef };

/** What a lease is made of. */
export type Grant<M extends Mode> = {
  readonly decision: Decision;
  readonly holdings: readonly Holding[];
  readonly context: LeaseContext<M>;
  /** When the store was asked: its time counts from then. */
  readonly asked: Reading;
};

/** What a lease is released to and renewed by, and who is notified. */
export type LeaseContext<M extends Mode> = {
  readonly mode: M;
  readonly change: ChangeLease<M>;
  /** Renew leases while work is done under them. */
  readonly renewals: Renewals;
  /** Called when units come back, or are about to: whoever waits for them may ask. */
  freed(budget: Budget, units: number, ms: number): void;
};

/**
 * The right to be in flight, under one concurrency limit or several taken together.
 *
 * It is the decision as well: where `ok` is false there is no such right, and nothing to give back.
 * Release it when the work is over, whatever came of it: `using` and `await using` do. Until then it
 * lasts for the limit's `ttl`, and as long again from each `renew`; a holder that died is so forgotten.
 */
export class Lease<M extends Mode = Mode> implements Decision {
  readonly ok: boolean;
  readonly limit: string;
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
  readonly reason: Reason | undefined;
  readonly degraded: true | undefined;
  readonly estimatedRetryAfter: number | undefined;
  readonly #context: LeaseContext<M>;
  readonly #holdings: readonly Holding[];
  /** When it was first asked for, and until when it is surely held. */
  readonly #asked: Reading;
  #until: Reading;
  #released: Answer<M, boolean> | undefined;

  /** Made by a limiter. */
  constructor({ decision, holdings, context, asked }: Grant<M>) {
    this.ok = decision.ok;
    this.limit = decision.limit;
    this.capacity = decision.capacity;
    this.remaining = decision.remaining;
    this.retryAfter = decision.retryAfter;
    this.resetAfter = decision.resetAfter;
    this.reason = decision.reason;
    this.degraded = decision.degraded;
    this.estimatedRetryAfter = decision.estimatedRetryAfter;
    this.#context = context;
    this.#holdings = holdings;
    this.#asked = asked;
    this.#until = laterBy(this.ttl, asked);
  }

  /** Milliseconds that it lasts unless renewed; Infinity where it holds nothing. */
  get ttl(): number {
    let ttl = Number.POSITIVE_INFINITY;
    for (const { budget } of this.#holdings) ttl = Math.min(ttl, budget.plan.period);
    return ttl;
  }

  /**
   * Milliseconds for which it is surely held from now on, unless renewed; 0 once it may be over, and
   * Infinity where it holds nothing. Counted from when the store was asked, not from its answer, and by the
   * clock that has gone further, of one that never steps and the machine's: the former stands still while it sleeps.
   */
  get expiresAfter(): number {
    return Math.max(0, msUntil(this.#until, readNow()));
  }

  /**
   * Gives back what it holds. Again, it does nothing and answers the same.
   *
   * @returns Whether all of it was still held. False where its time was over, so that somebody else
   *   may have been in flight beside it, where the store gave no answer (it is given back then as soon
   *   as the store answers again), and for a refusal. True where it was admitted and holds nothing: a
   *   count of 0, and what `"open"` admits.
   */
  release(): Answer<M, boolean> {
    this.#released ??= this.#each((holding) => this.#giveBack(holding));
    return this.#released;
  }

  /**
   * Lets it last for its whole time from now on.
   *
   * @returns Whether it is still held. False once it was released or its time was over: the work
   *   should stop then, for somebody else may have its place. True where it was admitted and holds
   *   nothing, for then there is nothing to lose.
   * @throws SpillwayError `unavailable` where the store gave no answer: nothing is known then.
   */
  renew(): Answer<M, boolean> {
    if (this.#released !== undefined) return this.#answer(false);
    const asked = readNow();
    const answer = this.#each(({ budget, lease }) =>
      this.#context.change({ verb: "renew", budgets: [budget], lease }),
    );
    return after(this.#context.mode, answer, (isHeld) => {
      if (isHeld) this.#until = laterBy(this.ttl, asked);
      return isHeld && !this.isOver;
    });
  }

  /**
   * Whether its time may be over since the store was asked. One in this process answers at once, and
   * knows better.
   *
   * @internal
   */
  get isOver(): boolean {
    return this.#context.mode === "later" && this.expiresAfter === 0;
  }

  /**
   * Has it renewed until the function that is returned is called; calls `lost` if it is lost before.
   *
   * @internal
   */
  keep(lost: () => void): () => void {
    return this.#context.renewals.keep(this, lost);
  }

  /** Releases it at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** Releases it at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  #each(change: (holding: Holding) => Answer<M, boolean>): Answer<M, boolean> {
    const { mode } = this.#context;
    const [first] = this.#holdings;
    if (first === undefined) return this.#answer(this.ok);
    if (this.#holdings.length === 1) return change(first);
    return after(mode, allOf(mode, this.#holdings, change), (answers) => answers.every(Boolean));
  }

  /** The end of work must not become a failure: what the store does not free, time does. */
  #giveBack({ budget, lease }: Holding): Answer<M, boolean> {
    const { mode, change, freed } = this.#context;
    let answer: Answer<M, boolean>;
    try {
      answer = change({ verb: "release", budgets: [budget], lease });
      if (mode === "later") answer = Promise.resolve(answer).catch(() => false) as typeof answer;
    } catch {
      answer = this.#answer(false);
    }
    freed(budget, lease.count, elapsed() - this.#asked.elapsed);
    return answer;
  }

  #answer(value: boolean): Answer<M, boolean> {
    return asAnswer(this.#context.mode, value);
  }
}
