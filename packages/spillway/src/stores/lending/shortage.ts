/** While the store has too little: when to ask it again, and what to answer meanwhile. Pure. */
import type { Decision, Plan } from "../../limits/core/index.ts";
import type { Outcome } from "./draws.ts";

/** After so many milliseconds, or so many asks, the store is asked again. */
const LONGEST = 1000;
const MOST_ASKS = 30;
/** However many ask, not before such a part of that time: each call is to find some units. */
const SHORTEST = 0.005;
/**
 * No longer than it takes to refill such a part of the bucket: what was lent and is not reported stops the refill.
 * A store that has so much is short of nothing.
 */
const PART = 0.25;

/** What a store has refused. */
type Refused = { readonly decision: Decision; readonly count: number };

/** When a call that is refused here may be admitted, and by what. */
export type Wait = { readonly ms: number; readonly reason: Decision["reason"] };

/** What is known of a key of which the store has too little. Instants are milliseconds of a clock that never steps. */
export class Shortage {
  readonly #plan: Plan;
  /** When the store was heard of last. */
  #heard = 0;
  /** Whole units that it had left then. */
  #left = 0;
  /** What it refused then, if it did. */
  #refusal: Refused | undefined;
  /** The least count that was refused since the store had enough; 0 where what it has is left to be regained. */
  #leastRefused = Number.POSITIVE_INFINITY;
  /** Between these the store is asked again if there were enough asks; after the second in any case. */
  #from = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;
  #asks = 0;
  /** From when on it is known that more is asked for than the limit admits. */
  #lastsFrom = Number.POSITIVE_INFINITY;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /**
   * Whether the store goes on having too little: more is asked for than the limit admits. Not while a full bucket is
   * being emptied at once, nor once it had the time to fill up.
   */
  isLasting(now: number): boolean {
    return now >= this.#lastsFrom && now < this.#heard + this.#refillMs;
  }

  /** Whole units that the store had left when it was heard of last. */
  get left(): number {
    return this.#left;
  }

  /** Notes what a draw was answered: too little where less was lent than wanted. */
  drawn({ decision, lent, count, want }: Omit<Outcome, "now">, now: number): void {
    const lasts = this.isLasting(now);
    // Where nothing is asked for, it is asked whether one unit is there.
    this.decided(decision, Math.max(1, count), now);
    if (!decision.ok) return;
    this.#left = Math.max(0, decision.remaining - lent.units);
    if (lent.units >= want) {
      this.forget();
      return;
    }
    this.#holdOff(now);
    if (this.#left > lent.units) return;
    // It lends half of what it has: half of the rest, and so on, would take many calls for few units.
    if (lasts) this.refused(0);
    this.#lastsFrom = Math.min(this.#lastsFrom, this.#until);
  }

  /** Notes what the store has decided. */
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

  /** Notes that there was no answer: what is held is used before the store is asked again. */
  failed(now: number): void {
    this.#holdOff(now);
  }

  /** Notes that a call was refused here. */
  refused(count: number): void {
    this.#leastRefused = Math.min(this.#leastRefused, count);
  }

  /** Forgets what was refused: the store may have enough again. */
  forget(): void {
    this.#refusal = undefined;
    this.#leastRefused = Number.POSITIVE_INFINITY;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Notes a call, whatever comes of it. */
  note(): void {
    this.#asks++;
  }

  /** Whether the store is not to be asked yet. */
  isHeldOff(now: number): boolean {
    return now < this.#until && (this.#asks < MOST_ASKS || now < this.#from);
  }

  /** Milliseconds until the store is asked again, if nothing is asked meanwhile. */
  nextCall(now: number): number {
    return Math.max(0, Math.ceil(this.#until - now));
  }

  /**
   * How long a call has to wait that this process has no units for; undefined where the store is to decide.
   * Never shorter than the truth, if nobody gives back.
   *
   * @param isAsked Whether the store is being asked: until it answers, what it said last goes on to hold.
   */
  waitOf(count: number, now: number, isAsked: boolean): Wait | undefined {
    if (!(isAsked ? now < this.#until : this.isHeldOff(now))) return undefined;
    const known = this.#knownWait(count);
    if (known === undefined) return undefined;
    const left = known.ms - (now - this.#heard);
    if (left <= 0 && count < this.#leastRefused) return undefined;
    return { ms: Math.max(1, Math.ceil(left), this.nextCall(now)), reason: known.reason };
  }

  /** How long it has to wait from when the store was heard of. */
  #knownWait(count: number): Wait | undefined {
    const { kind, capacity, rate, period } = this.#plan;
    if (this.#refusal?.count === count) {
      const { retryAfter, reason } = this.#refusal.decision;
      return { ms: retryAfter, reason };
    }
    // No more than half of a bucket is lent: the other half refills whatever becomes of that.
    const refills = kind === "token bucket" && count <= Math.ceil(capacity / 2) && rate > 0;
    if (!refills || this.#refusal?.decision.reason === "blocked") return undefined;
    const lacking = Math.max(0, count - this.#left);
    return { ms: Math.ceil((lacking * period) / rate), reason: "limited" };
  }

  /** Notes that the store had enough meanwhile. */
  #end(): void {
    this.#lastsFrom = Number.POSITIVE_INFINITY;
    this.#leastRefused = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds that it takes to refill the bucket: who has asked for nothing for so long finds it full. */
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
