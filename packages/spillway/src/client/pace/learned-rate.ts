/**
 * The rate that a server stands, learnt from its refusals: for those that say nothing else.
 *
 * After a refusal it begins a little below the rate at which that came, is back there after a number of
 * answers, stays near it for as many, and only then looks for more: the curve of CUBIC (S. Ha, I. Rhee,
 * L. Xu, 2008), over answers instead of time, so that the share of what is refused is bounded. Steps are
 * large at first, and smaller with each refusal.
 */
import { SECOND } from "../../core/index.ts";

/** The answers after which it is back at the rate of the last refusal, with steps at their smallest. */
const BACK_AFTER = 250;
/** By how much a refusal slows down: at first, and at last. */
const LARGEST_STEP = 0.25;
const SMALLEST_STEP = 0.03;
/** It stays so much below the rate of the last refusal: that was too fast. */
const BELOW = 0.04;
/** After so many steps upwards it stays there for a while, too. */
const STEPS_AT_ONCE = 2;
/** The part of refusals from which on the rate is far off: what is answered is believed instead. */
const FAR_OFF = 0.1;
/** The part from which on nothing is known any more. */
const LOST = 0.5;
/** The time by which the number of answers is measured. */
const SPAN = 4 * SECOND;
/** After so long without a refusal the rate doubles in the same time again. */
const PATIENCE = 30 * SECOND;
/** Requests a millisecond, at least. */
const LEAST = 1 / (10 * SECOND);
/** So many answers and refusals, lately, say something of a rate; fewer don't. */
const ENOUGH = 10;
/** Requests a millisecond, of which a server takes no notice. */
const HARDLY = 2 / SECOND;

/** How many answers a second, lately: exponentially forgotten. Milliseconds from any beginning. */
export class RecentRate {
  readonly #span: number;
  #count = 0;
  #at: number;
  #start: number;

  constructor(now: number, span = SPAN) {
    this.#span = span;
    this.#at = now;
    this.#start = now;
  }

  add(now: number, count = 1): void {
    this.#forget(now);
    this.#count += count;
  }

  /** Events a millisecond. What has just begun is taken to have lasted for a second at least. */
  rate(now: number): number {
    this.#forget(now);
    const seen = Math.max(SECOND, now - this.#start);
    return this.#count / (this.#span * (1 - Math.exp(-seen / this.#span)));
  }

  /** Events that count still. */
  count(now: number): number {
    this.#forget(now);
    return this.#count;
  }

  #forget(now: number): void {
    this.#count *= Math.exp(-Math.max(0, now - this.#at) / this.#span);
    this.#at = Math.max(this.#at, now);
  }
}

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class LearnedRate {
  /** The rate at which the last refusal came; `Infinity` where there was none. */
  #anchor = Number.POSITIVE_INFINITY;
  #step = LARGEST_STEP;
  /** Answers since. */
  #answers = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  readonly #served: RecentRate;
  readonly #refused: RecentRate;

  constructor(now: number) {
    this.#served = new RecentRate(now);
    this.#refused = new RecentRate(now);
  }

  /** How fast it may be sent; `Infinity` as long as nothing was refused. */
  rate(now: number): number {
    if (this.#anchor === Number.POSITIVE_INFINITY) return this.#anchor;
    const quiet = Math.max(0, now - this.#refusedAt - PATIENCE);
    return this.#anchor * this.#curve() * 2 ** (quiet / PATIENCE);
  }

  /** How fast is answered, lately. */
  servedRate(now: number): number {
    return this.#served.rate(now);
  }

  /** A request was answered, and not refused. */
  served(now: number): void {
    this.#served.add(now);
    this.#answers++;
    const faster = 1 + STEPS_AT_ONCE * this.#step;
    if (this.#curve() < faster) return;
    this.#anchor *= faster;
    this.#answers = this.#backAfter;
  }

  /**
   * A request was refused, though nothing was known that would have spoken against it.
   *
   * @param sent When it was: what was sent before the last refusal says nothing of the rate since.
   * @param paced How fast was sent by what else is known.
   */
  refused(now: number, { sent, paced }: { readonly sent: number; readonly paced: number }): void {
    this.#refused.add(now);
    if (sent < this.#refusedAt || !this.#isEnough(now)) return;
    const rate = Math.min(this.rate(now), paced);
    const isUnknown = rate === Number.POSITIVE_INFINITY;
    const part = isUnknown ? 1 : this.#refusedPart(now);
    const anchor = part > FAR_OFF ? this.#served.rate(now) : rate;
    this.#anchor = Math.max(LEAST, Math.min(anchor, rate) * (1 - BELOW));
    this.#step = part > LOST ? LARGEST_STEP : Math.max(SMALLEST_STEP, this.#step / 2);
    this.#answers = 0;
    this.#refusedAt = now;
  }

  /** After an outage: no faster than before it, to begin with. Who hardly asked is not slowed down by that. */
  resume(now: number, before: number): void {
    this.#anchor = Math.min(this.rate(now), Math.max(HARDLY, before));
    this.#answers = this.#backAfter;
    this.#refusedAt = now;
  }

  #isEnough(now: number): boolean {
    return this.#served.count(now) + this.#refused.count(now) >= ENOUGH;
  }

  #refusedPart(now: number): number {
    const refused = this.#refused.count(now);
    return refused / (this.#served.count(now) + refused);
  }

  /** The larger the steps, the fewer answers are waited for. */
  get #backAfter(): number {
    return BACK_AFTER * (SMALLEST_STEP / this.#step) ** 2;
  }

  #curve(): number {
    return 1 + this.#step * (this.#answers / this.#backAfter - 1) ** 3;
  }
}
