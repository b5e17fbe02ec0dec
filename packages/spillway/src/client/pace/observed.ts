/** What was served and refused lately, and how fast could be sent meanwhile: exponentially forgotten. */
import { MINUTE, SECOND } from "../../core/index.ts";

/** The time that counts, or the requests: whichever is longer. */
const SPAN = 8 * SECOND;
const REQUESTS = 32;
/** A time without requests counts no longer than this, or than so many requests take: nothing was wanted. */
const LONGEST_GAP = SECOND;
const MISSING = 3;
/** A hold that is longer is that of a quota, and says nothing of a rate. */
const LONGEST_HOLD = MINUTE;
/** So many answers a rate is worth that is assumed. */
const ASSUMED = 8;

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class Observed {
  #served = 0;
  #refused = 0;
  /** The time that went by, and the requests that could be sent in it. */
  #time = 0;
  #allowed = 0;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** Answers and refusals. */
  get count(): number {
    return this.#served + this.#refused;
  }

  /** Whether anything was served, lately. */
  get hasServed(): boolean {
    return this.#served > 0.5;
  }

  /** How fast was served. What has just begun is taken to have lasted for so many milliseconds at least. */
  servedRate({ least }: { readonly least: number }): number {
    return this.#served / Math.max(least, this.#time);
  }

  /** How fast would have been served, had all been sent that could be. */
  get sustainedRate(): number {
    return ((this.#allowed / this.#time) * this.#served) / this.count;
  }

  served(): void {
    this.#served++;
  }

  refused(): void {
    this.#refused++;
  }

  /** Time goes by, in which so much could be sent; without a rate, all that was wanted. */
  pass(now: number, rate: number | undefined): void {
    const gap = Math.max(LONGEST_GAP, rate === undefined ? 0 : MISSING / rate);
    const passed = Math.min(Math.max(0, now - this.#at), gap);
    const sent = rate ?? this.count / Math.max(1, this.#time);
    const kept = Math.exp(-passed / Math.max(SPAN, sent > 0 ? REQUESTS / sent : 0));
    this.#served *= kept;
    this.#refused *= kept;
    this.#time = this.#time * kept + passed;
    this.#allowed = this.#allowed * kept + (rate ?? 0) * passed;
    this.#at = Math.max(now, this.#at);
  }

  /** From now on nothing may be sent for so many milliseconds: whole seconds, rounded up. */
  hold(now: number, wait: number): void {
    if (wait > LONGEST_HOLD) return;
    const until = Math.max(this.#at, now + wait - SECOND);
    this.#time += until - this.#at;
    this.#at = until;
  }

  /** Begins anew, as if a few had been served at a rate. */
  assume(rate: number): void {
    this.#served = ASSUMED;
    this.#refused = 0;
    this.#allowed = ASSUMED;
    this.#time = ASSUMED / rate;
  }
}
