/// <reference lib="esnext.disposable" preserve="true" />

import {
  after,
  allOf,
  asAnswer,
  type ClockReading,
  carriedOut,
  laterBy,
  msUntil,
  readNow,
} from "../internal/index.ts";
import type { Answer, Budget, Decision, LeaseRef, Reason, Timing } from "../limits/core/index.ts";
import { elapsed } from "../limits/core/index.ts";
import type { ChangeLease } from "./outliving.ts";
import type { Renewals } from "./renewals.ts";

/** A budget, and the units that a lease holds of it. */
export type LeaseHolding = {
  readonly budget: Budget;
  readonly lease: LeaseRef;
  /** Whether its limit was enforced when it was granted. */
  readonly isEnforced: boolean;
};

/** The parts of a lease. */
export type LeaseGrant<M extends Timing> = {
  readonly decision: Decision;
  readonly holdings: readonly LeaseHolding[];
  readonly context: LeaseContext<M>;
  /** When the request was sent to the store. The lease's time counts from then. */
  readonly asked: ClockReading;
};

/** The functions by which a lease is released, renewed and reported. */
export type LeaseContext<M extends Timing> = {
  readonly timing: M;
  readonly change: ChangeLease<M>;
  /** Renews leases while work runs under them. */
  readonly renewals: Renewals;
  /**
   * Called when units have been released or are about to be, so that waiting calls may ask for
   * them.
   */
  freed(budget: Budget, units: number, ms: number): void;
};

/**
 * The right to be in flight, under one concurrency limit or several taken together.
 *
 * It is also the decision: if `ok` is false, nothing is held and nothing needs to be released.
 * Release it when the work has ended or failed; `using` and `await using` do this. Until
 * then it lasts for the limit's `ttl`, and for as long again after each `renew`. So the lease of a
 * process that died expires.
 */
export class Lease<M extends Timing = Timing> implements Decision {
  readonly ok: boolean;
  readonly limit: string;
  readonly capacity: number;
  readonly remaining: number;
  readonly retryAfter: number;
  readonly resetAfter: number;
  readonly reason: Reason | undefined;
  readonly degraded: true | undefined;
  readonly estimatedRetryAfter: number | undefined;
  readonly mode: Decision["mode"];
  readonly shadowed: Decision | undefined;
  readonly #context: LeaseContext<M>;
  readonly #holdings: readonly LeaseHolding[];
  /** When it was first requested, and until when it is certainly held. */
  readonly #asked: ClockReading;
  #until: ClockReading;
  #released: Answer<M, boolean> | undefined;

  /** Called by limiters only. */
  constructor({ decision, holdings, context, asked }: LeaseGrant<M>) {
    this.ok = decision.ok;
    this.limit = decision.limit;
    this.capacity = decision.capacity;
    this.remaining = decision.remaining;
    this.retryAfter = decision.retryAfter;
    this.resetAfter = decision.resetAfter;
    this.reason = decision.reason;
    this.degraded = decision.degraded;
    this.estimatedRetryAfter = decision.estimatedRetryAfter;
    this.mode = decision.mode;
    this.shadowed = decision.shadowed;
    this.#context = context;
    this.#holdings = holdings;
    this.#asked = asked;
    this.#until = laterBy(this.ttl, asked);
  }

  /** How long it lasts unless it is renewed, in milliseconds; `Infinity` if it holds nothing. */
  get ttl(): number {
    let ttl = Number.POSITIVE_INFINITY;
    for (const { budget } of this.#decisive) ttl = Math.min(ttl, budget.plan.period);
    return ttl;
  }

  /** The holdings that decide whether it is held: of limits that are enforced, if there are any. */
  get #decisive(): readonly LeaseHolding[] {
    if (this.#holdings.length < 2) return this.#holdings;
    const enforced = this.#holdings.filter(({ isEnforced }) => isEnforced);
    return enforced.length > 0 ? enforced : this.#holdings;
  }

  /**
   * How long it is certainly held from now, unless renewed, in milliseconds.
   *
   * 0 once it may have expired, `Infinity` if it holds nothing. Counted from when the request was
   * sent to the store, not from the answer. Two clocks measure it, and the one that has advanced
   * further counts. One is the machine's. The other never steps, but stops while the machine
   * sleeps.
   */
  get expiresAfter(): number {
    return Math.max(0, msUntil(this.#until, readNow()));
  }

  /**
   * Releases what it holds. Later calls do nothing and return the same.
   *
   * @returns Whether all of it was still held. False if it had expired, so that other work may have
   * been in flight beside it; false for a refusal. Also false if the store gave no answer: it is
   * released once the store answers again. True if it was admitted and holds nothing: with a count
   * of 0, or if `"open"` admitted it.
   */
  release(): Answer<M, boolean> {
    this.#released ??= this.#each((holding) => this.#giveBack(holding));
    return this.#released;
  }

  /**
   * Extends it to its full duration from now.
   *
   * @returns Whether it is still held. False once it was released or has expired: stop the work
   * then, because other work may have its units. True if it was admitted and holds nothing, because
   * nothing can be lost.
   * @throws SpillwayError `unavailable` if the store gave no answer, so that nothing is known.
   */
  renew(): Answer<M, boolean> {
    if (this.#released !== undefined) return this.#answer(false);
    const asked = readNow();
    const answer = this.#each(({ budget, lease }) =>
      this.#context.change({ verb: "renew", budgets: [budget], lease }),
    );
    return after(this.#context.timing, answer, (isHeld) => {
      if (isHeld) this.#until = laterBy(this.ttl, asked);
      return isHeld && !this.isOver;
    });
  }

  /**
   * Whether it may have expired since the request to the store. Always false for a store in this
   * process, which answers at once.
   *
   * @internal
   */
  get isOver(): boolean {
    return this.#context.timing === "later" && this.expiresAfter === 0;
  }

  /**
   * Renews it until the returned function is called. Calls `lost` if it is lost before.
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

  #each(change: (holding: LeaseHolding) => Answer<M, boolean>): Answer<M, boolean> {
    const { timing } = this.#context;
    const [first] = this.#holdings;
    if (first === undefined) return this.#answer(this.ok);
    if (this.#holdings.length === 1) return change(first);
    const decisive = this.#decisive;
    const changeEach = (holding: LeaseHolding): Answer<M, boolean> =>
      decisive.includes(holding)
        ? change(holding)
        : carriedOut(timing, () => change(holding), { done: () => true, fail: () => true });
    const all = allOf(timing, this.#holdings, changeEach);
    return after(timing, all, (answers) => answers.every(Boolean));
  }

  /**
   * Work that has ended must not fail because of its release. What the store does not release
   * expires.
   */
  #giveBack({ budget, lease }: LeaseHolding): Answer<M, boolean> {
    const { timing, change, freed } = this.#context;
    let answer: Answer<M, boolean>;
    try {
      answer = change({ verb: "release", budgets: [budget], lease });
      if (timing === "later") answer = Promise.resolve(answer).catch(() => false) as typeof answer;
    } catch {
      answer = this.#answer(false);
    }
    freed(budget, lease.count, elapsed() - this.#asked.elapsed);
    return answer;
  }

  #answer(value: boolean): Answer<M, boolean> {
    return asAnswer(this.#context.timing, value);
  }
}
