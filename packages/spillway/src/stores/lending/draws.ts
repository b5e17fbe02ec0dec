import { carriedOut } from "../../internal/index.ts";
import type {
  Answer,
  Ask,
  Decision,
  Draw,
  Drawn,
  Mode,
  Random,
  Store,
} from "../../limits/core/index.ts";
import type { Drawing, Loan } from "./loan.ts";
import { newId } from "./new-id.ts";
import type { Reading, Readings } from "./readings.ts";

/** What came of a draw that was answered. */
export type Outcome = Drawn & {
  /** Units that were asked for at once, and those that were to be lent. */
  readonly count: number;
  readonly want: number;
  readonly now: Reading;
};

/** A loan, and who decides when units are drawn for it, and how many. */
export type Borrower = {
  readonly loan: Loan;
  /** Receives what came of a draw, when what it has lent is held. */
  drawn(outcome: Outcome): void;
  /** Receives that a draw had no answer. */
  failed(now: Reading): void;
};

/** What draws are made with. */
export type DrawsSettings<B extends Borrower> = {
  readonly readings: Readings;
  readonly random: Random;
  /** Receives how many units a draw has lent; returns its decision as it is to be answered. */
  readonly onDrawn: (borrower: B, units: number, decision: Decision) => Decision;
  /** Receives why a draw had no answer of the lender's. */
  readonly onFailed?: (borrower: B, error: unknown) => void;
  /** Receives how many units have ended unused. */
  readonly onExpired: (borrower: B, units: number) => void;
};

/** A draw to be made: of whom, and with what call; without one it takes nothing. */
export type Order<M extends Mode = Mode> = Omit<Drawing, "id"> & {
  readonly lender: Store<M>;
  readonly ask?: Ask;
};

/** Carries draws to lenders, and what comes of them to those who borrow: a lender is a store, this process's or another's. */
export class Draws<B extends Borrower> {
  readonly #settings: DrawsSettings<B>;

  constructor(settings: DrawsSettings<B>) {
    this.#settings = settings;
  }

  /** Makes a draw. Its answer is that to the call; what it lends is held. */
  draw<M extends Mode>(borrower: B, { lender, ask, ...drawing }: Order<M>): Answer<M, Decision> {
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
    return carriedOut(lender.mode, call, { done, fail });
  }

  /** Reports units that have ended unused. */
  expire(borrower: B): void {
    const { holder } = borrower.loan;
    holder.dropEnded(this.#settings.readings.now());
    const units = holder.takeExpired();
    if (units > 0) this.#settings.onExpired(borrower, units);
  }

  #drawn(borrower: B, draw: Draw, answer: Drawn & Pick<Outcome, "count">): Decision {
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
