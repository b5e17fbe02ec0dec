/**
 * Keeps requests in the order in which they were sent, with their results. Answers may come in any
 * order, and take any time.
 *
 * A result belongs to the rate at which its request was sent. By the time a slow server answers,
 * dozens of others may have been sent at another rate.
 */
import { type ObservationWindow, ObservedRate } from "./observed-rate.ts";

/**
 * A request that was sent, and the rate allowed then, in requests a millisecond; undefined if it
 * was unlimited.
 */
export type RequestStart = {
  readonly at: number;
  readonly rate: number | undefined;
  /** Milliseconds before it in which nothing was allowed to be sent. */
  readonly held: number;
  /** Its number, from 0. */
  readonly order: number;
  state: "under way" | "served" | "refused" | "broken off";
  /** Whether it is counted: not yet, yes, or never because another rate was assumed first. */
  counted: "not yet" | "yes" | "no more";
};

/**
 * The maximum number of requests that wait for their answers. Older ones are assumed to have been
 * served.
 */
const MOST = 4096;

export class RequestStarts {
  readonly observed: ObservedRate;
  /** The last few requests, in which sudden changes show. */
  readonly latest: ObservedRate;
  /** Requests that are not counted yet, in order, from the index `#first` on. */
  #waiting: RequestStart[] = [];
  #first = 0;
  #heldFor = 0;
  #begun = 0;
  /** The number of the first request that was sent at the rate now assumed. */
  #from = 0;
  #lastRefused = Number.NaN;
  #inRow = 0;

  constructor(
    now: number,
    { long, short }: { readonly long: ObservationWindow; readonly short: ObservationWindow },
  ) {
    this.observed = new ObservedRate(now, long);
    this.latest = new ObservedRate(now, short);
  }

  /** Records that a request is sent. */
  begin(at: number, rate: number | undefined): RequestStart {
    const order = this.#begun++;
    const held = this.#heldFor;
    const start: RequestStart = { at, rate, held, order, state: "under way", counted: "not yet" };
    this.#heldFor = 0;
    this.#waiting.push(start);
    if (this.#waiting.length - this.#first > MOST) this.#countFirst();
    return start;
  }

  /** The number of refusals in a row, up to the latest one; 0 if a later request was served. */
  get refusedInRow(): number {
    return this.#inRow;
  }

  /** Records that nothing may be sent for `ms` milliseconds. */
  held(ms: number): void {
    this.#heldFor = Math.max(this.#heldFor, ms);
  }

  /** Records that a request was answered, and not refused. */
  served(start: RequestStart): void {
    start.state = "served";
    if (start.order > this.#lastRefused) this.#inRow = 0;
    this.#countEnded();
  }

  /** Records that a request was aborted by its caller: it was neither served nor refused. */
  brokenOff(start: RequestStart): void {
    start.state = "broken off";
    this.#countEnded();
  }

  /**
   * Records a refusal. Counts all requests that were sent before it; those without an answer were
   * probably served.
   */
  refused(start: RequestStart): void {
    start.state = "refused";
    if (!(start.order <= this.#lastRefused)) {
      this.#inRow = start.order === this.#lastRefused + 1 ? this.#inRow + 1 : 1;
      this.#lastRefused = start.order;
    }
    if (start.counted === "yes" && start.order >= this.#from) {
      this.observed.wasRefused();
      this.latest.wasRefused();
    }
    while (start.counted === "not yet") this.#countFirst();
  }

  /**
   * Counts all requests sent before one. Those without an answer were probably served, and may
   * never be answered.
   */
  countBefore({ order }: RequestStart): void {
    while ((this.#waiting[this.#first]?.order ?? order) < order) this.#countFirst();
  }

  /** The number of requests that are not counted yet. */
  get underWay(): number {
    return this.#waiting.length - this.#first;
  }

  /**
   * Assumes that a rate is served from now on. Requests under way were sent at another one, and are
   * never counted.
   */
  assume(rate: number): void {
    for (const start of this.#waiting) start.counted = "no more";
    this.#waiting = [];
    this.#first = 0;
    this.#from = this.#begun;
    this.#heldFor = 0;
    this.observed.assume(rate);
    this.latest.assume(rate);
  }

  #countEnded(): void {
    while (this.underWay > 0 && this.#waiting[this.#first]?.state !== "under way")
      this.#countFirst();
  }

  #countFirst(): void {
    const start = this.#waiting[this.#first++] as RequestStart;
    start.counted = "yes";
    for (const observed of [this.observed, this.latest]) {
      observed.pass(start.at, start);
      if (start.state === "refused") observed.refused();
      else if (start.state !== "broken off") observed.served();
    }
    if (this.#first < MOST / 2 && this.#first < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#first);
    this.#first = 0;
  }
}
