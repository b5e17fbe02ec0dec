import { type Budget, type Decision, decisionOf } from "../../limits/core/index.ts";
import type { Borrower, DrawOutcome } from "./draws.ts";
import { ownBudget } from "./held-keys.ts";
import type { Holder } from "./holder.ts";
import { KeyDemand } from "./key-demand.ts";
import { Loan } from "./loan.ts";
import type { ClockReading } from "./readings.ts";
import { Shortage, type ShortageWait } from "./shortage.ts";

/** The next draw is made when 1/LOW of the units held after the last one is left. */
const LOW = 4;

/**
 * The largest part of the capacity that is held, with a minimum of a few units. Units used but not
 * reported yet don't refill, so a key at rest would lose that many.
 */
const PART = 1 / 8;
const FEW = 40;

/**
 * The asks of a key, those that went to the store, and the number of consecutive checks without new
 * asks.
 */
type Checked = { readonly asks: number; readonly calls: number; readonly idle: number };

/** Shared by all keys that were not checked yet, because there are many. */
const UNCHECKED: Checked = { asks: 0, calls: 0, idle: 0 };

/**
 * A key of which units are lent: decides how many are wanted, when more are drawn, and which calls
 * are answered here.
 *
 * It calls no store and reads no clock.
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
  /** Asks so far when the key was last skipped by an eviction. */
  passedAt = 1;
  /** The pending call that brings units; undefined if there is none. */
  flight: Promise<unknown> | undefined;
  /** Whether the key has left the table, so that no more units of it are lent. */
  isGone = false;
  readonly #demand: KeyDemand;
  /** At or below this number of units, the next draw is made. */
  #low = -1;
  /** The instant at which the key is reset, as last reported by the store. */
  #resetAt = 0;

  constructor(budget: Budget, now: ClockReading) {
    const { plan } = budget;
    this.budget = ownBudget(budget);
    this.loan = new Loan(this.budget);
    this.holder = this.loan.holder;
    this.shortage = new Shortage(plan);
    this.#demand = new KeyDemand(now.elapsed, plan.share);
  }

  /** Records a call, regardless of its answer. */
  note(count: number): void {
    this.asks++;
    this.shortage.note();
    this.#demand.note(count);
  }

  /** Returns the asks since the last check, and how many checks had none. */
  check(): Checked {
    const { asks, calls, checked } = this;
    const idle = asks > checked.asks ? 0 : checked.idle + 1;
    this.checked = { asks, calls, idle };
    return { asks: asks - checked.asks, calls: calls - checked.calls, idle };
  }

  /** Whether so few units are left that more are drawn in advance. */
  isLow(now: ClockReading): boolean {
    if (this.holder.units > this.#low || this.flight !== undefined) return false;
    return !this.shortage.isHeldOff(now.elapsed);
  }

  /**
   * Returns the wait of a call for which too few units are held; undefined if the store is to
   * decide.
   */
  waitOf(count: number, { elapsed }: ClockReading): ShortageWait | undefined {
    return this.shortage.waitOf(count, elapsed, this.flight !== undefined);
  }

  /** Whether units may be drawn in advance now. */
  mayDraw(now: ClockReading): boolean {
    const { flight, asks } = this;
    return flight === undefined && asks > 1 && !this.shortage.isHeldOff(now.elapsed);
  }

  /** Returns the units to borrow in addition to those held. Call it once a draw. */
  want(held: number, { elapsed }: ClockReading): number {
    const most = Math.max(FEW, Math.ceil(this.budget.plan.capacity * PART));
    // Scarcity counts only for keys that need at least one unit in that time.
    const isScarce = this.shortage.isLasting(elapsed);
    const wanted = this.#demand.want(held, elapsed, { isScarce });
    return wanted < 1 ? 0 : Math.max(0, Math.min(Math.ceil(wanted), most - held));
  }

  drawn(outcome: DrawOutcome): void {
    const { decision, now } = outcome;
    this.flight = undefined;
    this.#low = Math.floor(this.holder.units / LOW);
    this.#resetAt = now.elapsed + decision.resetAfter;
    this.shortage.drawn(outcome, now.elapsed);
  }

  failed(now: ClockReading): void {
    this.flight = undefined;
    this.shortage.failed(now.elapsed);
  }

  /** Records a decision that the store made without a draw. */
  decided(decision: Decision, count: number, now: ClockReading): void {
    this.#resetAt = now.elapsed + decision.resetAfter;
    this.shortage.decided(decision, count, now.elapsed);
  }

  /** Gives up all units held and in flight. Returns the number held. */
  giveUp(): number {
    this.#low = -1;
    return this.loan.giveUp();
  }

  /** Gives up shares that expire within `ms`, if their units would be missing. */
  giveUpEnding(ms: number, now: ClockReading): boolean {
    this.holder.dropEnded(now);
    return !this.#isRefilledSoon && this.loan.giveUpEnding(ms, now);
  }

  /** Returns the decision for a call admitted from units held here. */
  admitted(now: ClockReading): Decision {
    const { remaining } = this;
    return decisionOf(this.budget.plan, { remaining, resetAfter: this.#resetAfter(now) });
  }

  /**
   * Returns the store's decision for the caller. Its wait is at least the time until the store is
   * asked again.
   */
  answered(decision: Decision, now: ClockReading): Decision {
    const { ok, remaining, retryAfter, resetAfter } = decision;
    if (ok) return { ...decision, remaining: Math.max(remaining, this.remaining) };
    const next = this.shortage.nextCall(now.elapsed);
    if (retryAfter >= next) return decision;
    return { ...decision, retryAfter: next, resetAfter: Math.max(next, resetAfter) };
  }

  /** Returns the decision for a call refused here, because the store has too few units. */
  refused(wait: ShortageWait, now: ClockReading): Decision {
    const remaining = this.holder.units;
    const resetAfter = Math.max(wait.ms, this.#resetAfter(now));
    const { ms: retryAfter, reason } = wait;
    return decisionOf(this.budget.plan, { remaining, retryAfter, resetAfter, reason });
  }

  /** Units held, and units that the store had left. */
  get remaining(): number {
    return Math.min(this.budget.plan.capacity, this.holder.units + this.shortage.left);
  }

  /** Whether the units held would refill in a bucket before their holding time ends. */
  get #isRefilledSoon(): boolean {
    const { kind, rate, period, share } = this.budget.plan;
    return kind === "token bucket" && this.holder.units * period <= share * rate;
  }

  #resetAfter(now: ClockReading): number {
    return Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
  }
}
