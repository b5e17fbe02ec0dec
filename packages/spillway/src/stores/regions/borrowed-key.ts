import type { Budget } from "../../limits/core/index.ts";
import { Demand } from "../lending/demand.ts";
import type { Aside } from "../lending/holder.ts";
import type { Reading } from "../lending/readings.ts";
import type { Loan } from "./loan.ts";

/** Units that are set aside, of one loan. */
export type AsideOf = { readonly loan: Loan; readonly parts: readonly Aside[] };

/** What this process has borrowed for one key, of all other regions, and what it lacks. */
export class BorrowedKey {
  readonly budget: Budget;
  readonly loans: readonly Loan[];
  readonly demand: Demand;
  /** When the near region lacked units last, by a clock that never steps. */
  lackedAt: number;
  /** More is drawn when no more than this is held. */
  low = 0;
  /** Given up: what is borrowed for its budget from now on is another key's. */
  isGone = false;

  constructor(budget: Budget, loans: readonly Loan[], now: Reading) {
    this.budget = budget;
    this.loans = loans;
    const held = loans.map(({ budget }) => budget.plan.share);
    this.demand = new Demand(now.elapsed, Math.min(...held));
    this.lackedAt = now.elapsed;
  }

  /** Units that are held, of all regions. */
  held(now: Reading): number {
    return this.loans.reduce((sum, { holder }) => {
      holder.dropEnded(now);
      return sum + holder.units;
    }, 0);
  }

  /** Sets units aside, if so many are held. */
  setAside(count: number, now: Reading): readonly AsideOf[] | undefined {
    if (this.held(now) < count) return undefined;
    let rest = count;
    return this.loans.flatMap((loan) => {
      const units = Math.min(rest, loan.holder.units);
      rest -= units;
      const parts = units > 0 ? loan.holder.setAside(units, now) : undefined;
      return parts === undefined ? [] : [{ loan, parts }];
    });
  }
}

/** Uses what was set aside. */
export function useAsides(asides: readonly AsideOf[]): void {
  for (const { loan, parts } of asides) loan.holder.useAside(parts);
}

/** Puts back what was set aside. */
export function putBackAsides(asides: readonly AsideOf[]): void {
  for (const { loan, parts } of asides) loan.holder.putBack(parts);
}
