import { MOST_SHARES } from "../../limits/algorithms/index.ts";
import type { Ask, Budget, Draw, Drawn, ShareRef } from "../../limits/core/index.ts";
import { MOST_UNITS } from "../../limits/core/index.ts";
import { Holder } from "../lending/holder.ts";
import type { Reading } from "../lending/readings.ts";
import type { Place } from "./layout.ts";

/** A lender keeps one in so many of its units for itself. */
const KEPT = 4;
/** Milliseconds until a region that had too little is asked again, */
const SHORT_PAUSE = 500;
/** and at most until one that does not answer is. */
const LONGEST_PAUSE = 8000;

type Flight = {
  readonly id: number;
  readonly sentAt: number;
  /** Shares that it reports as used up. */
  readonly usedUp: readonly ShareRef[];
};

/** What is known of a key in another region, and what this process holds of it. No promise, no clock. */
export class Loan {
  readonly place: Place;
  /** The budget's part there. */
  readonly budget: Budget;
  readonly holder = new Holder();
  /** Whole units that were left there, when it answered last; undefined before. */
  left: number | undefined;
  /** When that was, by a clock that never steps. */
  leftAt = 0;
  /** The draw that has no answer yet. */
  #flight: Flight | undefined;
  #nextAt = 0;
  #failures = 0;
  /** What the region is to hear that it has back. */
  #owed: readonly ShareRef[] = [];

  constructor(place: Place, budget: Budget) {
    this.place = place;
    this.budget = budget;
  }

  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /** Whether it may be asked now. */
  isOpen(now: number): boolean {
    return this.#flight === undefined && now >= this.#nextAt;
  }

  /** Whether a draw has no answer yet that was sent so long ago. */
  isLate(ms: number, now: number): boolean {
    return this.#flight !== undefined && now - this.#flight.sentAt >= ms;
  }

  /** The id of the draw that has no answer yet. */
  get flight(): number | undefined {
    return this.#flight?.id;
  }

  /** Units that can probably be drawn: those beyond what the lender keeps. 0 while nothing is known. */
  room(now: number): number {
    if (this.left === undefined) return 0;
    const { capacity, rate, period, refillPerMs } = this.budget.plan;
    const back = refillPerMs === 0 ? 0 : ((now - this.leftAt) * rate) / period;
    return Math.floor(Math.min(capacity, this.left + back)) - Math.ceil(capacity / KEPT);
  }

  /** Whether what is known is so old that it says nothing: a window may have ended. */
  isStale(now: number): boolean {
    return this.left === undefined || now - this.leftAt >= SHORT_PAUSE;
  }

  /** The draw to send now. */
  draw({ id, want }: Pick<Draw, "id" | "want">, now: Reading): Draw {
    this.holder.dropEnded(now);
    this.holder.send(id, now);
    const left = this.holder.report().slice(-MOST_SHARES);
    this.#flight = { id, sentAt: now.elapsed, usedUp: left.filter(({ units }) => units === 0) };
    return { id, want, left, back: this.#owed };
  }

  /** An answer has come; returns units that may be used from now on. */
  drawn({ decision, lent }: Drawn, { id, want, back }: Draw, now: Reading): number {
    const units = this.holder.accept(id, lent, this.budget.plan.share);
    this.#ended(id);
    this.#failures = 0;
    this.#owed = this.#owed.filter((one) => !back.includes(one));
    this.left = Math.max(0, decision.remaining - lent.units);
    this.leftAt = now.elapsed;
    this.#nextAt = now.elapsed + (want > 0 && lent.units < want ? SHORT_PAUSE : 0);
    return units;
  }

  /** No answer has come: what the draw may have lent goes back, and what it reported is reported again. */
  failed({ id }: Pick<Draw, "id">, now: Reading): void {
    this.holder.abandon(id);
    this.#owe([...this.#usedUp(id), { id, units: MOST_UNITS }]);
    this.#ended(id);
    const pause = SHORT_PAUSE * 2 ** Math.min(this.#failures, 10);
    this.#failures++;
    this.#nextAt = now.elapsed + Math.min(LONGEST_PAUSE, pause);
  }

  /** Gives up all that is held, and what may be on its way; the next draw gives it back. */
  giveUp(): void {
    const lost = this.holder.abandonAll().map((id) => ({ id, units: MOST_UNITS }));
    const usedUp = this.#flight === undefined ? [] : this.#usedUp(this.#flight.id);
    this.#owe([...this.holder.giveUp(), ...usedUp, ...lost]);
    this.#flight = undefined;
  }

  /** A call that takes nothing. */
  get ask(): Ask {
    return { ...this.budget, count: 0, reserve: false };
  }

  /** Shares of which a draw without an answer has reported that nothing is left: the holder reports them once. */
  #usedUp(id: number): readonly ShareRef[] {
    return this.#flight?.id === id ? this.#flight.usedUp : [];
  }

  #ended(id: number): void {
    if (this.#flight?.id === id) this.#flight = undefined;
  }

  #owe(shares: readonly ShareRef[]): void {
    this.#owed = [...this.#owed, ...shares].slice(-MOST_SHARES);
  }
}
