import { MOST_SHARES } from "../../limits/algorithms/index.ts";
import type { Budget, Draw, Lent, ShareRef } from "../../limits/core/index.ts";
import { Holder, type UnitsAside } from "./holder.ts";
import type { ClockReading } from "./readings.ts";

/** Shared by the many keys that owe nothing. */
const NOTHING: readonly ShareRef[] = [];

/** The content of a draw other than its report. */
export type DrawDetails = {
  /** Distinguishes the share. */
  readonly id: number;
  /** Units to be lent. With 0 the draw only reports. */
  readonly want: number;
  /** Whether the held units go back, so that the lender can decide with them. */
  readonly isOffered?: boolean;
};

/**
 * The units of one budget that a process holds from one lender, and the changes that the lender
 * does not know yet.
 *
 * Each draw reports these changes, and a draw without an answer is followed by the same report. It
 * calls no store and reads no clock.
 */
export class Loan {
  readonly budget: Budget;
  readonly holder = new Holder();
  /** Shares to give back: it is unknown whether they were lent, or they have no units left. */
  #owed = NOTHING;
  /** Whether units were used that may not have been reported. */
  #hasNews = false;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** Whether units were used here that were not reported. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Whether shares are to be given back. */
  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /**
   * Takes held units; returns false if there are too few. A count of 0 asks whether there is one.
   */
  take(count: number, now: ClockReading): boolean {
    if (!this.holder.take(count, now) || (count === 0 && this.holder.units === 0)) return false;
    this.#hasNews ||= count > 0;
    return true;
  }

  /** Uses units that were set aside. */
  useAside(parts: readonly UnitsAside[]): void {
    this.holder.useAside(parts);
    this.#hasNews ||= parts.length > 0;
  }

  /** Builds a draw with its report. Every draw must be followed by `accept` or `failed`. */
  draw({ id, want, isOffered = false }: DrawDetails, now: ClockReading): Draw {
    this.holder.dropEnded(now);
    const back = isOffered ? [...this.#owed, ...this.holder.offer()] : this.#owed;
    const left = this.holder.report().slice(-MOST_SHARES);
    const usedUp = left.filter(({ units }) => units === 0);
    this.#owed = NOTHING;
    this.#hasNews = false;
    this.holder.send(id, now, back.length + usedUp.length === 0 ? NOTHING : [...back, ...usedUp]);
    return { id, want, left, back: back.slice(-MOST_SHARES) };
  }

  /** Accepts what a draw has lent. Returns the units that may be used from now on. */
  accept(id: number, lent: Lent): number {
    return this.holder.accept(id, lent, this.budget.plan.share);
  }

  /**
   * Records that a draw had no answer: its units, if any were lent, go back, and its report is sent
   * again.
   */
  failed(id: number): void {
    this.#owe(this.holder.abandon(id));
    this.#hasNews = true;
  }

  /** Gives up all units held and in flight. They go back with the next draw. */
  giveUp(): number {
    const { units } = this.holder;
    const unanswered = this.holder.abandonAll();
    this.#owe([...this.holder.giveUp(), ...unanswered]);
    return units;
  }

  /**
   * Gives up shares that expire within `ms`, if their units would be missing. They go back with the
   * next draw.
   */
  giveUpEnding(ms: number, now: ClockReading): boolean {
    const ending = this.holder.giveUpEnding(ms, now);
    this.#owe(ending);
    return ending.length > 0;
  }

  #owe(shares: readonly ShareRef[]): void {
    this.#owed = [...this.#owed, ...shares].slice(-MOST_SHARES);
  }
}
