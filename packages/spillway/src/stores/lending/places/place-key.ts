/**
 * The places of one key that this process holds: leases of the store, handed out as leases of its
 * own. Pure arithmetic: no clock, no store.
 *
 * A place is handed out until `share` has passed since the request to the store, and is held for at
 * most `ttl` from then. The store keeps it for the sum of both, so it is never held longer than it
 * is listed; see `keptPlan`.
 */
import { type Budget, type Decision, decisionOf } from "../../../limits/core/index.ts";
import { ownBudget } from "../keys.ts";
import { type Reading, ROUNDING } from "../readings.ts";
import { type Part, Stock } from "./stock.ts";

/** A lease that was handed out. */
export type HandedOut = {
  readonly id: number;
  readonly units: number;
  readonly parts: readonly Part[];
  /** The expiry that its holder relies on, by the monotonic clock. The lease does not end later. */
  until: number;
  /** Renewals without an answer so far. The lease does not expire before they are answered. */
  renewals: number;
};

/** The places of a key. */
export class PlaceKey {
  readonly budget: Budget;
  readonly stock: Stock;
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
  readonly #handedOut = new Map<number, HandedOut>();

  constructor(budget: Budget, mayKeep: boolean) {
    this.mayKeep = mayKeep;
    this.stock = new Stock(budget.plan.share);
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
  answered(decision: Decision | undefined, now: Reading): void {
    this.#underWay--;
    if (decision === undefined || decision.degraded) return;
    this.stock.heard(decision.remaining);
    this.#resetAt = now.elapsed + decision.resetAfter;
    // Places granted before a block must not be handed out again.
    if (decision.reason === "blocked") this.giveUp();
  }

  /** Returns the decision for a call served from units held here. */
  admitted(now: Reading): Decision {
    const resetAfter = Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
    return decisionOf(this.budget.plan, { remaining: this.remaining, resetAfter });
  }

  /** Takes out up to `most` units, to be handed out or put back. */
  take(most: number, now: Reading): readonly Part[] {
    if (most > this.idle) this.#forgetOver(now);
    return this.stock.take(most, now);
  }

  /** Hands out units that were taken out, for the whole `ttl`. */
  handOut(id: number, parts: readonly Part[], now: Reading): void {
    const units = parts.reduce((sum, part) => sum + part.units, 0);
    this.#handedOut.set(id, { id, units, parts, until: this.#endFrom(now), renewals: 0 });
  }

  /** Returns a lease that is handed out; undefined if it is not, or has expired. */
  find({ id, count }: { id: number; count: number }, now: Reading): HandedOut | undefined {
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
  release(one: HandedOut, now: Reading): void {
    if (this.#handedOut.get(one.id) !== one) return;
    this.#handedOut.delete(one.id);
    this.stock.putBack(one.parts, now);
  }

  /**
   * Records that the store has renewed the leases behind a handed-out one. Returns false if that
   * was released in between.
   */
  renewed(one: HandedOut, sent: Reading): boolean {
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
  dropIdle(now: Reading): void {
    this.stock.dropIdle();
    this.dropEnded(now);
  }

  /** Forgets handed-out leases that were not renewed, and gives up expired places. */
  dropEnded(now: Reading): void {
    this.#forgetOver(now);
    this.stock.dropEnded(now);
  }

  #forgetOver(now: Reading): void {
    for (const one of this.#handedOut.values()) {
      if (one.until > now.elapsed) return;
      if (isOver(one, now)) this.release(one, now);
    }
  }

  #endFrom({ elapsed }: Reading): number {
    return elapsed + this.budget.plan.period + ROUNDING;
  }
}

/** A lease does not expire while it is being renewed. */
function isOver({ until, renewals }: HandedOut, now: Reading): boolean {
  return until <= now.elapsed && renewals === 0;
}
