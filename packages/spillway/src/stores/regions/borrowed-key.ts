import type { Budget } from "../../limits/core/index.ts";
import type { UnitsAside } from "../lending/holder.ts";
import { KeyDemand } from "../lending/key-demand.ts";
import type { ClockReading } from "../lending/readings.ts";
import type { FarPart } from "./far-part.ts";

/** The units that this process has borrowed for one key from all other regions. */
export class BorrowedKey {
  readonly budget: Budget;
  readonly parts: readonly FarPart[];
  readonly demand: KeyDemand;
  /** When the near region last lacked units, by a monotonic clock. */
  lackedAt: number;
  /** More units are drawn when at most this many are held. */
  low = 0;
  /** Whether the key was dropped: its budget has another key from now on. */
  isGone = false;

  constructor(budget: Budget, parts: readonly FarPart[], now: ClockReading) {
    this.budget = budget;
    this.parts = parts;
    const held = parts.map(({ loan }) => loan.budget.plan.share);
    this.demand = new KeyDemand(now.elapsed, Math.min(...held));
    this.lackedAt = now.elapsed;
  }

  /** Returns the units held of all regions. */
  held(now: ClockReading): number {
    return this.parts.reduce((sum, { loan: { holder } }) => {
      holder.dropEnded(now);
      return sum + holder.units;
    }, 0);
  }

  /** Sets units aside if enough are held. */
  setAside(count: number, now: ClockReading): readonly UnitsAside[] | undefined {
    if (this.held(now) < count) return undefined;
    let rest = count;
    return this.parts.flatMap(({ loan: { holder } }) => {
      const units = Math.min(rest, holder.units);
      rest -= units;
      return (units > 0 && holder.setAside(units, now)) || [];
    });
  }
}
