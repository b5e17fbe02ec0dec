import { carriedOut } from "../../internal/index.ts";
import type {
  Answer,
  Ask,
  Decision,
  Draw,
  Drawn,
  Random,
  Store,
  Timing,
} from "../../limits/core/index.ts";
import type { DrawDetails, Loan } from "./loan.ts";
import { newId } from "./new-id.ts";
import type { ClockReading, Readings } from "./readings.ts";

/** The result of an answered draw. */
export type DrawOutcome = Drawn & {
  /** Units of the call, and units to be lent. */
  readonly count: number;
  readonly want: number;
  readonly now: ClockReading;
};

/** The owner of a loan: decides when units are drawn for it, and how many. */
export type Borrower = {
  readonly loan: Loan;
  /** Called after the lent units of a draw are held. */
  drawn(outcome: DrawOutcome): void;
  /** Called when a draw had no answer. */
  failed(now: ClockReading): void;
};

/** The parts and callbacks of draws. */
export type DrawsSettings<B extends Borrower> = {
  readonly readings: Readings;
  readonly random: Random;
  /** Called with the number of units lent. Returns the decision for the caller. */
  readonly onDrawn: (borrower: B, units: number, decision: Decision) => Decision;
  /** Called with the error of a draw that the lender did not answer. */
  readonly onFailed?: (borrower: B, error: unknown) => void;
  /** Called with the number of units that expired unused. */
  readonly onExpired: (borrower: B, units: number) => void;
};

/** A draw to send: its lender, and its call. Without a call it takes nothing. */
export type DrawRequest<M extends Timing = Timing> = Omit<DrawDetails, "id"> & {
  readonly lender: Store<M>;
  readonly ask?: Ask;
};

/**
 * Sends draws to lenders, and passes the results to the borrowers. A lender is a store, this
 * process's own or another's.
 */
export class Draws<B extends Borrower> {
  readonly #settings: DrawsSettings<B>;

  constructor(settings: DrawsSettings<B>) {
    this.#settings = settings;
  }

  /** Sends a draw. Returns the answer to its call; the lent units are held. */
  draw<M extends Timing>(
    borrower: B,
    { lender, ask, ...drawing }: DrawRequest<M>,
  ): Answer<M, Decision> {
    const { readings, random } = this.#settings;
    const { loan } = borrower;
    const draw = loan.draw({ id: newId(random), ...drawing }, readings.exactly());
    const asked = ask ?? { ...loan.budget, count: 0, reserve: false };
    const call = () => lender.execute({ verb: "draw", budgets: [asked], draw });
    const done = (drawn: Drawn) => this.#drawn(borrower, draw, { ...drawn, count: asked.count });
    const fail = (error: unknown): never => {
      this.#failed(borrower, draw, error);
      throw error;
    };
    return carriedOut(lender.timing, call, { done, fail });
  }

  /** Reports units that expired unused. */
  expire(borrower: B): void {
    const { holder } = borrower.loan;
    holder.dropEnded(this.#settings.readings.now());
    const units = holder.takeExpired();
    if (units > 0) this.#settings.onExpired(borrower, units);
  }

  #drawn(borrower: B, draw: Draw, answer: Drawn & Pick<DrawOutcome, "count">): Decision {
    const { decision, lent } = answer;
    if (decision.degraded) {
      this.#failed(borrower, draw, new Error("it was answered without the store"));
      return decision;
    }
    const now = this.#settings.readings.now();
    const units = borrower.loan.accept(draw.id, lent);
    borrower.drawn({ ...answer, want: draw.want, now });
    this.expire(borrower);
    return this.#settings.onDrawn(borrower, units, decision);
  }

  #failed(borrower: B, { id }: Draw, error: unknown): void {
    borrower.loan.failed(id);
    borrower.failed(this.#settings.readings.now());
    this.#settings.onFailed?.(borrower, error);
  }
}
