/**
 * Counts what was served and refused recently, and how fast requests could be sent meanwhile. The
 * past decays exponentially.
 */
import { MINUTE, SECOND } from "../../limits/core/index.ts";

/**
 * How much of the past counts: `span` milliseconds or `requests`, whichever takes longer.
 *
 * `hasHolds` says whether the time in which nothing was allowed to be sent counts too.
 */
export type ObservationWindow = {
  readonly span: number;
  readonly requests: number;
  readonly hasHolds: boolean;
};

/**
 * The longest gap between requests that counts: this time, or the time of this many requests if
 * that is longer. The rest of a longer gap only shows that no requests were made.
 */
const LONGEST_GAP = SECOND;
const MISSING = 3;
/** A longer hold, in milliseconds, belongs to a quota; no rate is learnt from it. */
const LONGEST_HOLD = MINUTE;
/** The number of answers that an assumed rate counts for. */
const ASSUMED = 8;

/**
 * The rate observed over a window. Instants are milliseconds of a monotonic clock; rates are in
 * requests a millisecond.
 */
export class ObservedRate {
  readonly #window: ObservationWindow;
  #served = 0;
  #refused = 0;
  /** The milliseconds that have passed, and the number of requests that could be sent in them. */
  #time = 0;
  #allowed = 0;
  #at: number;

  constructor(now: number, window: ObservationWindow) {
    this.#at = now;
    this.#window = window;
  }

  /** The number of recent answers and refusals. */
  get count(): number {
    return this.#served + this.#refused;
  }

  /** The number of requests that were served recently. */
  get servedCount(): number {
    return this.#served;
  }

  get refusedCount(): number {
    return this.#refused;
  }

  /**
   * Returns the rate that was served. A history that has just begun is assumed to have lasted
   * `least` milliseconds.
   */
  servedRate({ least }: { readonly least: number }): number {
    return this.#served / Math.max(least, this.#time);
  }

  /** The rate that would have been served if all allowed requests had been sent. */
  get sustainedRate(): number {
    return ((this.#allowed / this.#time) * this.#served) / this.count;
  }

  served(): void {
    this.#served++;
  }

  refused(): void {
    this.#refused++;
  }

  /** Corrects the count after a request that was counted as served turns out to be refused. */
  wasRefused(): void {
    this.#served = Math.max(0, this.#served - 1);
    this.#refused++;
  }

  /**
   * Advances the observation to `now`, with the rate that was allowed; undefined if it was
   * unlimited. `held` milliseconds of it are a hold, in which nothing was allowed to be sent.
   */
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

  /** Starts over, as if a few requests had been served at a rate. */
  assume(rate: number): void {
    this.#served = ASSUMED;
    this.#refused = 0;
    this.#allowed = ASSUMED;
    this.#time = ASSUMED / rate;
  }
}
