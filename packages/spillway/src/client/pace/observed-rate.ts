/** What was served and refused lately, and how fast could be sent meanwhile: exponentially forgotten. */
import { MINUTE, SECOND } from "../../limits/core/index.ts";

/** What counts: so many milliseconds, or so many requests, whichever is longer; and the time of holds, or not. */
export type ObservationWindow = {
  readonly span: number;
  readonly requests: number;
  readonly hasHolds: boolean;
};

/** A time without requests counts no longer than this, or than so many requests take: nothing was wanted. */
const LONGEST_GAP = SECOND;
const MISSING = 3;
/** A hold that is longer is that of a quota, and says nothing of a rate. */
const LONGEST_HOLD = MINUTE;
/** So many answers a rate is worth that is assumed. */
const ASSUMED = 8;

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class ObservedRate {
  readonly #window: ObservationWindow;
  #served = 0;
  #refused = 0;
  /** The time that went by, and the requests that could be sent in it. */
  #time = 0;
  #allowed = 0;
  #at: number;

  constructor(now: number, window: ObservationWindow) {
    this.#at = now;
    this.#window = window;
  }

  /** Answers and refusals. */
  get count(): number {
    return this.#served + this.#refused;
  }

  /** How much was served, lately. */
  get servedCount(): number {
    return this.#served;
  }

  get refusedCount(): number {
    return this.#refused;
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

  /** What was counted as served was refused after all. */
  wasRefused(): void {
    this.#served = Math.max(0, this.#served - 1);
    this.#refused++;
  }

  /** Time goes by, in which so much could be sent; without a rate, all that was wanted. */
  pass(
    now: number,
    { rate, held }: { readonly rate: number | undefined; readonly held: number },
  ): void {
    const gap = Math.max(LONGEST_GAP, rate === undefined ? 0 : MISSING / rate);
    const wanted = Math.min(Math.max(0, now - this.#at - held), gap);
    const hasHold = (this.#window.hasHolds || rate === undefined) && held <= LONGEST_HOLD;
    const passed = wanted + (hasHold ? held : 0);
    const sent = rate ?? this.count / Math.max(1, this.#time);
    const { span, requests } = this.#window;
    const kept = Math.exp(-wanted / Math.max(span, sent > 0 ? requests / sent : 0));
    this.#served *= kept;
    this.#refused *= kept;
    this.#time = this.#time * kept + passed;
    this.#allowed = this.#allowed * kept + (rate ?? 0) * wanted;
    this.#at = Math.max(now, this.#at);
  }

  /** Begins anew, as if a few had been served at a rate. */
  assume(rate: number): void {
    this.#served = ASSUMED;
    this.#refused = 0;
    this.#allowed = ASSUMED;
    this.#time = ASSUMED / rate;
  }
}
