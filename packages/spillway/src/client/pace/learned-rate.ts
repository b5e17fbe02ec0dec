/**
 * The rate that a server stands, learnt from its refusals: for those that say nothing else.
 *
 * Many clients may use up one server, and each sees only its own answers. Of a server that is used up, what
 * all of them are served is together just what it allows. So a refusal sets the rate a little below what was
 * served lately: who hasn't become faster hardly slows down, who has goes back to where that began.
 *
 * From there it is the curve of CUBIC (S. Ha, I. Rhee, L. Xu, 2008), over answers instead of time, so that
 * the share of what is refused is bounded for slow clients as well: back at the rate soon, near it for long,
 * then ever faster beyond.
 *
 * Refusals in a row are no lesson: the server refuses everything for a while. Each makes the next attempt
 * rarer; afterwards the rate begins at a part of what it was, and is soon back.
 */
import { SECOND } from "../../core/index.ts";
import { Observed } from "./observed.ts";

/** How it goes back to the rate: from so much below, within so many answers. */
type Approach = { readonly below: number; readonly answers: number };

const AFTER_REFUSAL: Approach = { below: 0.03, answers: 200 };
const AFTER_LOSS: Approach = { below: 0.75, answers: 60 };
/** Where no limit was known before an outage: soon as fast as one likes. */
const AFTER_OUTAGE: Approach = { below: 0.1, answers: 40 };
/** It stays so much below what was served. */
const MARGIN = 0.04;
/** So many refusals in a row are no matter of a rate any more. */
const LOSS = 5;
/** By how much each of them makes the next attempt rarer. */
const RARER = 0.7;
/** Requests a millisecond, at least. */
const LEAST = 1 / (10 * SECOND);
/** So many answers and refusals, lately, say something of a rate; fewer don't. */
const ENOUGH = 10;
/** Milliseconds in which a first burst is taken to have been served, at least. */
const FIRST_BURST = 50;
/** Requests a millisecond, of which a server takes no notice. */
const HARDLY = 2 / SECOND;

/** How fast was served before an outage, and whether that may be all that is allowed. */
export type Proven = { readonly rate: number; readonly isLimit: boolean };

/** A refusal. */
export type Refused = {
  /** When the request was sent. */
  readonly sent: number;
  /** How fast was sent by what else is known. */
  readonly paced: number;
  /** For how many milliseconds nothing is to be sent; 0 where nobody says. */
  readonly wait: number;
};

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class LearnedRate {
  readonly #observed: Observed;
  /** The rate that it goes back to; undefined as long as nothing was refused. */
  #anchor: number | undefined;
  #approach = AFTER_REFUSAL;
  /** Answers since the last refusal, and refusals in a row. */
  #answers = 0;
  #inRow = 0;
  /** When the first rate was learnt: what was sent before says nothing of it. */
  #since = Number.NEGATIVE_INFINITY;

  constructor(now: number) {
    this.#observed = new Observed(now);
  }

  /** How fast it may be sent; `Infinity` as long as nothing was refused. */
  get rate(): number {
    return this.#known ?? Number.POSITIVE_INFINITY;
  }

  /** What is known before an outage that begins now. Who hardly asked is not slowed down by that. */
  proven(now: number): Proven {
    this.#observed.pass(now, this.#known);
    const served = Math.max(HARDLY, this.#observed.servedRate({ least: SECOND }));
    const { hasServed, count } = this.#observed;
    // Who has only just begun may have been served all that is allowed.
    const isLimit = this.#anchor !== undefined || (hasServed && count < ENOUGH);
    return { rate: Math.min(this.rate, served), isLimit };
  }

  /** A request was answered, and not refused. */
  served(now: number): void {
    this.#observed.pass(now, this.#known);
    this.#observed.served();
    this.#answers++;
    if (this.#inRow >= LOSS) this.#goBack(AFTER_LOSS);
    this.#inRow = 0;
  }

  /** A request was refused, though nothing was known that would have spoken against it. */
  refused(now: number, { sent, paced, wait }: Refused): void {
    if (sent < this.#since) return;
    this.#observed.pass(now, this.#known);
    this.#observed.refused();
    // Afterwards it is slower, so that it is held less.
    if (this.#anchor === undefined) this.#observed.hold(now, wait);
    if (this.#observed.count < ENOUGH) return;
    if (this.#anchor === undefined) this.#begin(now, paced);
    else if (++this.#inRow <= LOSS) this.#slowDown(this.#anchor, paced);
  }

  /** After an outage: no faster than before it, to begin with. */
  resume({ rate, isLimit }: Proven): void {
    this.#anchor = rate;
    this.#inRow = 0;
    this.#approach = isLimit ? AFTER_REFUSAL : AFTER_OUTAGE;
    this.#answers = this.#approach.answers;
  }

  #begin(now: number, paced: number): void {
    const served = this.#observed.servedRate({ least: FIRST_BURST });
    this.#anchor = Math.max(LEAST, Math.min(served, paced) * (1 - MARGIN));
    this.#observed.assume(this.#anchor);
    this.#since = now;
    this.#goBack(AFTER_REFUSAL);
  }

  #slowDown(anchor: number, paced: number): void {
    const reached = anchor * Math.max(1, this.#curve);
    const stood = Math.min(reached, this.#observed.sustainedRate, paced);
    this.#anchor = Math.max(LEAST, stood * (1 - MARGIN));
    this.#goBack(AFTER_REFUSAL);
  }

  #goBack(approach: Approach): void {
    this.#approach = approach;
    this.#answers = 0;
  }

  get #known(): number | undefined {
    if (this.#anchor === undefined) return undefined;
    const rarer = RARER ** Math.max(0, this.#inRow - 1);
    return Math.max(LEAST, this.#anchor * this.#curve * rarer);
  }

  /** 1 where it is back at its rate. */
  get #curve(): number {
    const { below, answers } = this.#approach;
    return 1 + below * (this.#answers / answers - 1) ** 3;
  }
}
