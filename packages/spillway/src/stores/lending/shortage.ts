/**
 * Tracks a store that has too few units: when to ask it again, and what to answer until then. Pure.
 */
import type { Decision, Plan } from "../../limits/core/index.ts";
import type { DrawOutcome } from "./draws.ts";

/** The store is asked again after this many milliseconds, or this many asks. */
const LONGEST = 1000;
const MOST_ASKS = 30;
/**
 * The smallest fraction of that time, even with many asks, so that each call finds some units.
 */
const SHORTEST = 0.005;
/**
 * The time is at most the refill time of this fraction of the bucket, because units used but not
 * reported are not refilled. A store with this fraction left has enough.
 */
const PART = 0.25;

/** A refusal by the store. */
type StoreRefusal = { readonly decision: Decision; readonly count: number };

/** When a call refused here may be admitted, and the reason. */
export type ShortageWait = { readonly ms: number; readonly reason: Decision["reason"] };

/**
 * The state of a key for which the store has too few units. Instants are milliseconds of a
 * monotonic clock.
 */
export class Shortage {
  readonly #plan: Plan;
  /** The instant of the store's last answer. */
  #heard = 0;
  /** Whole units that the store had left then. */
  #left = 0;
  /** Its refusal then, if it refused. */
  #refusal: StoreRefusal | undefined;
  /**
   * The smallest count refused since the store had enough; 0 if the store's remaining units are
   * left to refill.
   */
  #leastRefused = Number.POSITIVE_INFINITY;
  /**
   * Between these instants the store is asked again after enough asks; after the second in any
   * case.
   */
  #from = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #asks = 0;
  /** The instant since which demand is known to exceed the limit. */
  #lastsFrom = Number.POSITIVE_INFINITY;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /**
   * Whether the shortage lasts: demand exceeds the limit. False while a full bucket is emptied at
   * once, and once it had time to refill.
   */
  isLasting(now: number): boolean {
    return now >= this.#lastsFrom && now < this.#heard + this.#refillMs;
  }

  /** Whole units that the store had left at its last answer. */
  get left(): number {
    return this.#left;
  }

  /** Records the answer to a draw. Less lent than wanted means that the store has too few. */
  drawn({ decision, lent, count, want }: Omit<DrawOutcome, "now">, now: number): void {
    const lasts = this.isLasting(now);
    // A draw for nothing asks whether one unit is left.
    this.decided(decision, Math.max(1, count), now);
    if (!decision.ok) return;
    this.#left = Math.max(0, decision.remaining - lent.units);
    if (lent.units >= want) {
      this.forget();
      return;
    }
    this.#holdOff(now);
    if (this.#left > lent.units) return;
    // The store lends half of what it has. Taking half of the rest again and again would need many
    // calls for few units.
    if (lasts) this.refused(0);
    this.#lastsFrom = Math.min(this.#lastsFrom, this.#until);
  }

  /** Records a decision of the store. */
  decided(decision: Decision, count: number, now: number): void {
    const hasEnough = decision.remaining >= this.#plan.capacity * PART;
    if (hasEnough || now >= this.#heard + this.#refillMs) this.#end();
    this.#heard = now;
    this.#left = decision.remaining;
    this.#refusal = undefined;
    if (decision.ok || decision.reason === "too large") return;
    this.#refusal = { decision, count };
    this.refused(count);
    if (!hasEnough) this.#lastsFrom = Math.min(this.#lastsFrom, now);
    this.#holdOff(now);
  }

  /** Records that there was no answer: held units are used before the store is asked again. */
  failed(now: number): void {
    this.#holdOff(now);
  }

  /** Records that a call was refused here. */
  refused(count: number): void {
    this.#leastRefused = Math.min(this.#leastRefused, count);
  }

  /** Forgets refusals, because the store may have enough again. */
  forget(): void {
    this.#refusal = undefined;
    this.#leastRefused = Number.POSITIVE_INFINITY;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Records a call, regardless of its answer. */
  note(): void {
    this.#asks++;
  }

  /** Whether the store should not be asked yet. */
  isHeldOff(now: number): boolean {
    return now < this.#until && (this.#asks < MOST_ASKS || now < this.#from);
  }

  /** Returns the milliseconds until the store is asked again, if there are no calls until then. */
  nextCall(now: number): number {
    return Math.max(0, Math.ceil(this.#until - now));
  }

  /**
   * Returns how long a call must wait if this process has too few units for it; undefined if the
   * store must decide. Never shorter than the true wait, unless units are given back.
   *
   * @param isAsked Whether a request to the store is pending: until it is answered, the last answer
   * stays valid.
   */
  waitOf(count: number, now: number, isAsked: boolean): ShortageWait | undefined {
    if (!(isAsked ? now < this.#until : this.isHeldOff(now))) return undefined;
    const known = this.#knownWait(count);
    if (known === undefined) return undefined;
    const left = known.ms - (now - this.#heard);
    if (left <= 0 && count < this.#leastRefused) return undefined;
    return { ms: Math.max(1, Math.ceil(left), this.nextCall(now)), reason: known.reason };
  }

  /** Returns the wait from the instant of the store's last answer. */
  #knownWait(count: number): ShortageWait | undefined {
    const { kind, capacity, rate, period } = this.#plan;
    if (this.#refusal?.count === count) {
      const { retryAfter, reason } = this.#refusal.decision;
      return { ms: retryAfter, reason };
    }
    // At most half of a bucket is lent, so the other half refills in any case.
    const refills = kind === "token bucket" && count <= Math.ceil(capacity / 2) && rate > 0;
    if (!refills || this.#refusal?.decision.reason === "blocked") return undefined;
    const lacking = Math.max(0, count - this.#left);
    return { ms: Math.ceil((lacking * period) / rate), reason: "limited" };
  }

  /** Records that the store had enough in between. */
  #end(): void {
    this.#lastsFrom = Number.POSITIVE_INFINITY;
    this.#leastRefused = Number.POSITIVE_INFINITY;
  }

  /** The milliseconds that the bucket takes to refill: after this time without calls it is full. */
  get #refillMs(): number {
    const { rate, period, capacity } = this.#plan;
    return rate === 0 ? Number.POSITIVE_INFINITY : (capacity * period) / rate;
  }

  #holdOff(now: number): void {
    const longest = Math.min(LONGEST, this.#refillMs * PART);
    this.#from = now + longest * SHORTEST;
    this.#until = now + longest;
    this.#asks = 0;
  }
}
