/**
 * Requests in the order in which they were sent, with what came of them: whatever order their answers come in, and
 * however long these take.
 *
 * What is learnt of a rate is learnt for when a request was sent: by the time its answer is there, a slow server may
 * have been sent dozens at another rate.
 */
import { type ObservationWindow, ObservedRate } from "./observed-rate.ts";

/** A request that was sent, and how fast could be sent then; undefined: as fast as is wanted. */
export type RequestStart = {
  readonly at: number;
  readonly rate: number | undefined;
  /** Milliseconds before it in which nothing might be sent. */
  readonly held: number;
  /** Its number, from 0. */
  readonly order: number;
  state: "under way" | "served" | "refused" | "broken off";
  /** Whether it is counted, and whether that is forgotten. */
  counted: "not yet" | "yes" | "no more";
};

/** Starts that wait for their answers, at most; of older ones it is assumed that they were served. */
const MOST = 4096;

export class RequestStarts {
  readonly observed: ObservedRate;
  /** The last few: what has changed all of a sudden shows there. */
  readonly latest: ObservedRate;
  /** Those that are not counted yet, in order, from `#first` on. */
  #waiting: RequestStart[] = [];
  #first = 0;
  #heldFor = 0;
  #begun = 0;
  /** The first one that says anything of the rate that is assumed. */
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

  /** A request is sent. */
  begin(at: number, rate: number | undefined): RequestStart {
    const order = this.#begun++;
    const held = this.#heldFor;
    const start: RequestStart = { at, rate, held, order, state: "under way", counted: "not yet" };
    this.#heldFor = 0;
    this.#waiting.push(start);
    if (this.#waiting.length - this.#first > MOST) this.#countFirst();
    return start;
  }

  /** How many were refused one after the other, up to the last one that was. */
  get refusedInRow(): number {
    return this.#inRow;
  }

  /** Nothing may be sent for so many milliseconds. */
  held(ms: number): void {
    this.#heldFor = Math.max(this.#heldFor, ms);
  }

  /** It was answered, and not refused. */
  served(start: RequestStart): void {
    start.state = "served";
    if (start.order > this.#lastRefused) this.#inRow = 0;
    this.#countEnded();
  }

  /** Nobody waits for its answer any more: it was neither served nor refused. */
  brokenOff(start: RequestStart): void {
    start.state = "broken off";
    this.#countEnded();
  }

  /** It was refused: now counts all that was sent before it, of which what is not known was probably served. */
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

  /** Now counts all that was sent before it: what is not known was probably served, and may never be answered. */
  countBefore({ order }: RequestStart): void {
    while ((this.#waiting[this.#first]?.order ?? order) < order) this.#countFirst();
  }

  /** How many are not counted yet. */
  get underWay(): number {
    return this.#waiting.length - this.#first;
  }

  /** From now on a rate is taken to be served; what is under way was sent at another one, and says no more. */
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
