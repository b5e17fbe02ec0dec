/**
 * The places of one key that this process has: leases of the store, which it hands out as leases of its own. Pure
 * arithmetic: no clock, no store.
 *
 * A place is handed out until `share` has passed since the store was asked for it, and is held for at most `ttl`
 * from then. The store keeps it for both, so that it is never held longer than it is listed; see `keptPlan`.
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
  /** Until when its holder may believe in it, by the clock that never steps: it stops no later. */
  until: number;
  /** Renewals that have no answer yet: it is not over before. */
  renewals: number;
};

/** The places of a key. */
export class PlaceKey {
  readonly budget: Budget;
  readonly stock: Stock;
  /** Whether anything is kept here, for others to ask for. */
  mayKeep: boolean;
  /** Asks since this was read last, and those that went to the store. */
  asks = 0;
  calls = 0;
  /** Changes whenever all that was granted before is to go back. */
  generation = 0;
  /** Asks of the store that have no answer yet. */
  #underWay = 0;
  /** When the key is fully reset, as far as the store has said: by the clock that never steps. */
  #resetAt = 0;
  /** In the order in which they are over. */
  readonly #handedOut = new Map<number, HandedOut>();

  constructor(budget: Budget, mayKeep: boolean) {
    this.mayKeep = mayKeep;
    this.stock = new Stock(budget.plan.share);
    this.budget = ownBudget(budget);
  }

  /** Units that nobody holds, and that may be handed out. */
  get idle(): number {
    return this.stock.idle;
  }

  /** Units that the store has left, as far as is known here. */
  get leftThere(): number {
    return this.stock.leftThere;
  }

  /** Units that are left for those who ask here. */
  get remaining(): number {
    return Math.min(this.budget.plan.capacity, this.idle + this.leftThere);
  }

  get isEmpty(): boolean {
    return this.stock.isEmpty && this.#handedOut.size === 0 && this.#underWay === 0;
  }

  /** Notes a call, and whether the store is asked as well. */
  asked({ isSent }: { readonly isSent: boolean }): void {
    this.asks++;
    if (!isSent) return;
    this.calls++;
    this.#underWay++;
  }

  /** Notes what the store has decided; undefined where it gave no answer. */
  answered(decision: Decision | undefined, now: Reading): void {
    this.#underWay--;
    if (decision === undefined || decision.degraded) return;
    this.stock.heard(decision.remaining);
    this.#resetAt = now.elapsed + decision.resetAfter;
    // What was granted before the block is not to be handed out again.
    if (decision.reason === "blocked") this.giveUp();
  }

  /** What is answered to a call for units that are here. */
  admitted(now: Reading): Decision {
    const resetAfter = Math.max(0, Math.ceil(this.#resetAt - now.elapsed));
    return decisionOf(this.budget.plan, { remaining: this.remaining, resetAfter });
  }

  /** Takes out up to so many units, to be handed out or put back. */
  take(most: number, now: Reading): readonly Part[] {
    if (most > this.idle) this.#forgetOver(now);
    return this.stock.take(most, now);
  }

  /** Hands out what was taken out, for the whole `ttl`. */
  handOut(id: number, parts: readonly Part[], now: Reading): void {
    const units = parts.reduce((sum, part) => sum + part.units, 0);
    this.#handedOut.set(id, { id, units, parts, until: this.#endFrom(now), renewals: 0 });
  }

  /** A lease that is handed out; undefined where it is not, or not any more. */
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

  /** The store has renewed what a lease is part of; false where that was released meanwhile. */
  renewed(one: HandedOut, sent: Reading): boolean {
    if (this.#handedOut.get(one.id) !== one) return false;
    this.#handedOut.delete(one.id);
    one.until = Math.max(one.until, this.#endFrom(sent));
    this.#handedOut.set(one.id, one);
    return true;
  }

  /** Hands nothing out any more of what was granted up to now. */
  giveUp(): void {
    this.generation++;
    this.stock.giveUp();
  }

  /** Gives up what was not asked for between several calls of this, and what is over. */
  dropIdle(now: Reading): void {
    this.stock.dropIdle();
    this.dropEnded(now);
  }

  /** Forgets leases that nobody has renewed, and gives up what may be handed out no longer. */
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

/** While it is being renewed it is not. */
function isOver({ until, renewals }: HandedOut, now: Reading): boolean {
  return until <= now.elapsed && renewals === 0;
}
