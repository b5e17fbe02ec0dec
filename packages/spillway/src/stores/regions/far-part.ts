import type { Budget } from "../../limits/core/index.ts";
import type { Borrower, DrawOutcome } from "../lending/draws.ts";
import { Loan } from "../lending/loan.ts";
import type { ClockReading } from "../lending/readings.ts";
import type { IndexedRegion } from "./region-layout.ts";

/** A lender keeps 1/KEPT of its part as a reserve. */
const LENDER_RESERVE = 4;
/** Milliseconds until a region that had too few units is asked again. */
const SHORT_PAUSE = 500;
/** The longest time until a region that does not answer is asked again, in milliseconds. */
const LONGEST_PAUSE = 8000;

/**
 * A key's part in another region: the units held of it, what it has left, and when it is asked
 * again.
 */
export class FarPart implements Borrower {
  readonly place: IndexedRegion;
  readonly loan: Loan;
  /** Whole units left there at its last answer; undefined before the first. */
  left: number | undefined;
  /** When that was, by a monotonic clock. */
  leftAt = 0;
  #nextAt = 0;
  #failures = 0;

  /** @param budget The budget's part in the region. */
  constructor(place: IndexedRegion, budget: Budget) {
    this.place = place;
    this.loan = new Loan(budget);
  }

  /** Whether it may be asked now. */
  isOpen(now: number): boolean {
    return this.loan.holder.unanswered === undefined && now >= this.#nextAt;
  }

  /**
   * Returns the units that can probably be drawn: those beyond the lender's reserve. 0 while
   * nothing is known.
   */
  room(now: number): number {
    if (this.left === undefined) return 0;
    const { capacity, rate, period, refillPerMs } = this.loan.budget.plan;
    const back = refillPerMs === 0 ? 0 : ((now - this.leftAt) * rate) / period;
    return Math.floor(Math.min(capacity, this.left + back)) - Math.ceil(capacity / LENDER_RESERVE);
  }

  /** Whether the last answer is too old to be used: a window may have ended. */
  isStale(now: number): boolean {
    return this.left === undefined || now - this.leftAt >= SHORT_PAUSE;
  }

  drawn({ decision, lent, want, now: { elapsed } }: DrawOutcome): void {
    this.#failures = 0;
    this.left = Math.max(0, decision.remaining - lent.units);
    this.leftAt = elapsed;
    this.#nextAt = elapsed + (want > 0 && lent.units < want ? SHORT_PAUSE : 0);
  }

  failed({ elapsed }: ClockReading): void {
    const pause = SHORT_PAUSE * 2 ** Math.min(this.#failures, 10);
    this.#failures++;
    this.#nextAt = elapsed + Math.min(LONGEST_PAUSE, pause);
  }

  /** Gives up a draw that has been pending for as long as its units would be held. */
  giveUpLate(now: ClockReading): void {
    const { holder, budget } = this.loan;
    const draw = holder.unanswered;
    if (draw === undefined || now.elapsed - draw.sent.elapsed < budget.plan.share) return;
    this.loan.failed(draw.id);
    this.failed(now);
  }
}
