import { type Budget, type Decision, decisionOf } from "../../limits/core/index.ts";
import { Demand } from "./demand.ts";
import type { Borrower, Outcome } from "./draws.ts";
import type { Holder } from "./holder.ts";
import { ownBudget } from "./keys.ts";
import { Loan } from "./loan.ts";
import type { Reading } from "./readings.ts";
import { Shortage, type Wait } from "./shortage.ts";

/** Of what was held, so much is left when the next draw is made. */
const LOW = 4;

/**
 * No more than such a part of the capacity is held, or than so few units: what was used and is not reported yet
 * can't refill, so a key that was at rest would lose that much.
 */
const PART = 1 / 8;
const FEW = 40;

/** Asks of a key, those that went to the store, and how many checks in a row found no more of them. */
type Checked = { readonly asks: number; readonly calls: number; readonly idle: number };

/** Of keys that were not checked yet: all have it in common, for there are many. */
const UNCHECKED: Checked = { asks: 0, calls: 0, idle: 0 };

/**
 * A key of which units are lent: how many are wanted, when more are drawn, and what the store has too little of. It
 * decides what is answered here; it asks nobody, and knows no clock.
 */
export class LentKey implements Borrower {
  readonly budget: Budget;
  readonly loan: Loan;
  readonly holder: Holder;
  readonly shortage: Shortage;
  /** Asks so far, and those that went to the store. */
  asks = 0;
  calls = 0;
  checked = UNCHECKED;
  /** Asks so far when it was passed over last, to make room. */
  passedAt = 1;
  /** What is under way that will bring units; undefined where nothing is. */
  flight: Promise<unknown> | undefined;
  /** Whether it is not checked after any more: nothing is lent of it. */
  isGone = false;
  readonly #demand: Demand;
  /** With so few units left, the next draw is made. */
  #low = -1;
  /** The instant at which the key is reset, as far as the store has said. */
  #resetAt = 0;

  constructor(budget: Budget, now: Reading) {
    const { plan } = budget;
    this.budget = ownBudget(budget);
    this.loan = new Loan(this.budget);
    this.holder = this.loan.holder;
    this.shortage = new Shortage(plan);
    this.#demand = new Demand(now.elapsed, plan.share);
  }

  /** Notes a call, whatever comes of it. */
  note(count: number): void {
    this.asks++;
    this.shortage.note();
    this.#demand.note(count);
  }

  /** What was asked since this was called last, and whether nothing was then either. */
  check(): Checked {
    const { asks, calls, checked } = this;
    const idle = asks > checked.asks ? 0 : checked.idle + 1;
    this.checked = { asks, calls, idle };
    return { asks: asks - checked.asks, calls: calls - checked.calls, idle };
  }

  /** Whether so little is left that more is to be drawn, though nobody waits for it. */
  isLow(now: Reading): boolean {
    if (this.holder.units > this.#low || this.flight !== undefined) return false;
    return !this.shortage.isHeldOff(now.elapsed);
  }

  /** How long a call has to wait for which too little is held; undefined where the store is to decide. */
  waitOf(count: number, { elapsed }: Reading): Wait | undefined {
    return this.shortage.waitOf(count, elapsed, this.flight !== undefined);
  }

  /** Whether more can be drawn now, though nobody waits for it. */
  mayDraw(now: Reading): boolean {
    const { flight, asks } = this;
    return flight === undefined && asks > 1 && !this.shortage.isHeldOff(now.elapsed);
  }

  /** Units to be lent beside those that are held; to be asked once a draw. */
  want(held: number, { elapsed }: Reading): number {
    const most = Math.max(FEW, Math.ceil(this.budget.plan.capacity * PART));
    // A key that needs less than one unit in that time is asked for as if nothing were lent.
    const isScarce = this.shortage.isLasting(elapsed);
    const wanted = this.#demand.want(held, elapsed, { isScarce });
    return wanted < 1 ? 0 : Math.max(0, Math.min(Math.ceil(wanted), most - held));
  }

  drawn(outcome: Outcome): void {
    const { decision, now } = outcome;
    this.flight = undefined;
    this.#low = Math.floor(this.holder.units / LOW);
    this.#resetAt = now.elapsed + decision.resetAfter;
    this.shortage.drawn(outcome, now.elapsed);
  }

  failed(now: Reading): void {
    this.flight = undefined;
    this.shortage.failed(now.elapsed);
  }

  /** Takes in what the store has decided without a draw. */
  decided(decision: Decision, count: number, now: Reading): void {
    this.#resetAt = now.elapsed + decision.resetAfter;
    this.shortage.decided(decision, count, now.elapsed);
  }

  /** Gives up all that is held, and all that may be on its way; returns the units that were held. */
  giveUp(): number {
    this.#low = -1;
    return this.loan.giveUp();
  }

  /** Gives up what ends in so many milliseconds, if it would be missed. */
  giveUpEnding(ms: number, now: Reading): boolean {
    this.holder.dropEnded(now);
    return !this.#isRefilledSoon && this.loan.giveUpEnding(ms, now);
  }

  /** What is answered to a call that was admitted here, of units that are held. */
  admitted(now: Reading): Decision {
    const { remaining } = this;
    return decisionOf(this.budget.plan, { remaining, resetAfter: this.#resetAfter(now) });
  }

  /** What the store has decided, as it is answered: no wait is shorter than until it is asked again. */
  answered(decision: Decision, now: Reading): Decision {
    const { ok, remaining, retryAfter, resetAfter } = decision;
    if (ok) return { ...decision, remaining: Math.max(remaining, this.remaining) };
    const next = this.shortage.nextCall(now.elapsed);
    if (retryAfter >= next) return decision;
    return { ...decision, retryAfter: next, resetAfter: Math.max(next, resetAfter) };
  }

  /** What is answered to a call that is refused here, for the store has too little. */
  refused(wait: Wait, now: Reading): Decision {
    const remaining = this.holder.units;
    const resetAfter = Math.max(wait.ms, this.#resetAfter(now));
    const { ms: retryAfter, reason } = wait;
    return decisionOf(this.budget.plan, { remaining, retryAfter, resetAfter, reason });
  }

  /** Units that are held, and those that the store had left. */
  get remaining(): number {
    return Math.min(this.budget.plan.capacity, this.holder.units + this.shortage.left);
  }

  /** Whether what is held would come back to a bucket sooner than the time is over for which it is held. */
  get #isRefilledSoon(): boolean {
    const { kind, rate, period, share } = this.budget.plan;
    return kind === "token bucket" && this.holder.units * period <= share * rate;
  }

  #resetAfter(now: Reading): number {
    return Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
  }
}
