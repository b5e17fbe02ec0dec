import { MOST_SHARES } from "../../limits/algorithms/index.ts";
import type { Budget, Draw, Lent, ShareRef } from "../../limits/core/index.ts";
import { type Aside, Holder } from "./holder.ts";
import type { Reading } from "./readings.ts";

/** Of the many keys that owe nothing. */
const NOTHING: readonly ShareRef[] = [];

/** What a draw is to say beside what it reports. */
export type Drawing = {
  /** Distinguishes the share. */
  readonly id: number;
  /** Units to be lent; with 0 it only reports. */
  readonly want: number;
  /** Whether what is held goes back, for the lender to decide with it. */
  readonly isOffered?: boolean;
};

/**
 * What a process holds of one budget of one lender, and what the lender has still to hear: it says so with each draw,
 * and again where a draw had no answer. It asks nobody, and knows no clock.
 */
export class Loan {
  readonly budget: Budget;
  readonly holder = new Holder();
  /** Shares that are to go back: what became of them is not known, or nothing is left of them. */
  #owed = NOTHING;
  /** Whether units were used here of which the lender has not heard, as far as is known. */
  #hasNews = false;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  /** Whether something was used here that the lender has not heard of. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Whether something is to go back. */
  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /** Takes units that are held; false where there are too few. A count of 0 asks whether there is one. */
  take(count: number, now: Reading): boolean {
    if (!this.holder.take(count, now) || (count === 0 && this.holder.units === 0)) return false;
    this.#hasNews ||= count > 0;
    return true;
  }

  /** Uses units that were set aside. */
  useAside(parts: readonly Aside[]): void {
    this.holder.useAside(parts);
    this.#hasNews ||= parts.length > 0;
  }

  /** What a draw says. It has to come to `accept` or to `failed`. */
  draw({ id, want, isOffered = false }: Drawing, now: Reading): Draw {
    this.holder.dropEnded(now);
    const back = isOffered ? [...this.#owed, ...this.holder.offer()] : this.#owed;
    const left = this.holder.report().slice(-MOST_SHARES);
    const usedUp = left.filter(({ units }) => units === 0);
    this.#owed = NOTHING;
    this.#hasNews = false;
    this.holder.send(id, now, back.length + usedUp.length === 0 ? NOTHING : [...back, ...usedUp]);
    return { id, want, left, back: back.slice(-MOST_SHARES) };
  }

  /** Takes in what a draw has lent; returns units that may be used from now on. */
  accept(id: number, lent: Lent): number {
    return this.holder.accept(id, lent, this.budget.plan.share);
  }

  /** A draw has no answer: what it may have lent goes back, and what it said is said again. */
  failed(id: number): void {
    this.#owe(this.holder.abandon(id));
    this.#hasNews = true;
  }

  /** Gives up all that is held, and all that may be on its way: it goes back with the next draw. */
  giveUp(): number {
    const { units } = this.holder;
    const unanswered = this.holder.abandonAll();
    this.#owe([...this.holder.giveUp(), ...unanswered]);
    return units;
  }

  /** Gives up what ends in so many milliseconds, if it would be missed: it goes back with the next draw. */
  giveUpEnding(ms: number, now: Reading): boolean {
    const ending = this.holder.giveUpEnding(ms, now);
    this.#owe(ending);
    return ending.length > 0;
  }

  #owe(shares: readonly ShareRef[]): void {
    this.#owed = [...this.#owed, ...shares].slice(-MOST_SHARES);
  }
}
