/**
 * The places of one key that this process holds: leases of the store, handed out as leases of its
 * own. Pure arithmetic: no clock, no store.
 *
 * A place is handed out until `share` has passed since the request to the store, and is held for at
 * most `ttl` from then. The store keeps it for the sum of both, so it is never held longer than it
 * is listed; see `keptPlan`.
 */
import { type Budget, type Decision, decisionOf } from "../../../limits/core/index.ts";
import { ownBudget } from "../held-keys.ts";
import { type ClockReading, ROUNDING } from "../readings.ts";
import { LeaseStock, type LeaseUnits } from "./lease-stock.ts";

/** A lease that was handed out. */
export type HandedOutLease = {
  readonly id: number;
  readonly units: number;
  readonly parts: readonly LeaseUnits[];
  /** The expiry that its holder relies on, by the monotonic clock. The lease does not end later. */
  until: number;
  /** Renewals without an answer so far. The lease does not expire before they are answered. */
  renewals: number;
};

/** The places of a key. */
export class PlaceKey {
  readonly budget: Budget;
  readonly stock: LeaseStock;
  /** Whether released places are kept here for later calls. */
  mayKeep: boolean;
  /** Asks since the last check, and those that went to the store. */
  asks = 0;
  calls = 0;
  /** Incremented when everything granted before must go back. */
  generation = 0;
  /** Asks of the store without an answer so far. */
  #underWay = 0;
  /** When the key is fully reset, as last reported by the store, by the monotonic clock. */
  #resetAt = 0;
  /** In the order of their expiry. */
  readonly #handedOut = new Map<number, HandedOutLease>();

  constructor(budget: Budget, mayKeep: boolean) {
    this.mayKeep = mayKeep;
    this.stock = new LeaseStock(budget.plan.share);
    this.budget = ownBudget(budget);
  }

  /** Units that are not held, and may be handed out. */
  get idle(): number {
    return this.stock.idle;
  }

  /** Units left in the store, as far as is known here. */
  get leftThere(): number {
    return this.stock.leftThere;
  }

  /** Units left for calls of this process. */
  get remaining(): number {
    return Math.min(this.budget.plan.capacity, this.idle + this.leftThere);
  }

  get isEmpty(): boolean {
    return this.stock.isEmpty && this.#handedOut.size === 0 && this.#underWay === 0;
  }

  /** Records a call, and whether the store is asked as well. */
  asked({ isSent }: { readonly isSent: boolean }): void {
    this.asks++;
    if (!isSent) return;
    this.calls++;
    this.#underWay++;
  }

  /** Records the store's decision; undefined if it gave no answer. */
  answered(decision: Decision | undefined, now: ClockReading): void {
    this.#underWay--;
    if (decision === undefined || decision.degraded) return;
    this.stock.heard(decision.remaining);
    this.#resetAt = now.elapsed + decision.resetAfter;
    // Places granted before a block must not be handed out again.
    if (decision.reason === "blocked") this.giveUp();
  }

  /** Returns the decision for a call served from units held here. */
  admitted(now: ClockReading): Decision {
    const resetAfter = Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
    return decisionOf(this.budget.plan, { remaining: this.remaining, resetAfter });
  }

  /** Takes out up to `most` units, to be handed out or put back. */
  take(most: number, now: ClockReading): readonly LeaseUnits[] {
    if (most > this.idle) this.#forgetOver(now);
    return this.stock.take(most, now);
  }

  /** Hands out units that were taken out, for the whole `ttl`. */
  handOut(id: number, parts: readonly LeaseUnits[], now: ClockReading): void {
    const units = parts.reduce((sum, part) => sum + part.units, 0);
    this.#handedOut.set(id, { id, units, parts, until: this.#endFrom(now), renewals: 0 });
  }

  /** Returns a lease that is handed out; undefined if it is not, or has expired. */
  find(
    { id, count }: { id: number; count: number },
    now: ClockReading,
  ): HandedOutLease | undefined {
    const found = this.#handedOut.get(id);
    if (found?.units !== count) return undefined;
    if (!isOver(found, now)) return found;
    this.release(found, now);
    return undefined;
  }

  /** Whether a lease with this id is handed out. */
  has(id: number): boolean {
    return this.#handedOut.has(id);
  }

  /** Takes a lease back. */
  release(one: HandedOutLease, now: ClockReading): void {
    if (this.#handedOut.get(one.id) !== one) return;
    this.#handedOut.delete(one.id);
    this.stock.putBack(one.parts, now);
  }

  /**
   * Records that the store has renewed the leases behind a handed-out one. Returns false if that
   * was released in between.
   */
  renewed(one: HandedOutLease, sent: ClockReading): boolean {
    if (this.#handedOut.get(one.id) !== one) return false;
    this.#handedOut.delete(one.id);
    one.until = Math.max(one.until, this.#endFrom(sent));
    this.#handedOut.set(one.id, one);
    return true;
  }

  /** Stops handing out units granted so far. */
  giveUp(): void {
    this.generation++;
    this.stock.giveUp();
  }

  /** Gives up places without a call for several checks, and expired ones. */
  dropIdle(now: ClockReading): void {
    this.stock.dropIdle();
    this.dropEnded(now);
  }

  /** Forgets handed-out leases that were not renewed, and gives up expired places. */
  dropEnded(now: ClockReading): void {
    this.#forgetOver(now);
    this.stock.dropEnded(now);
  }

  #forgetOver(now: ClockReading): void {
    for (const one of this.#handedOut.values()) {
      if (one.until > now.elapsed) return;
      if (isOver(one, now)) this.release(one, now);
    }
  }

  #endFrom({ elapsed }: ClockReading): number {
    return elapsed + this.budget.plan.period + ROUNDING;
  }
}

/** A lease does not expire while it is being renewed. */
function isOver({ until, renewals }: HandedOutLease, now: ClockReading): boolean {
  return until <= now.elapsed && renewals === 0;
}
