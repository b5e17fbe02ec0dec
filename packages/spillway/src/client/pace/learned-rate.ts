/**
 * The rate that a server stands, learnt from its refusals: for those that say nothing else.
 *
 * Many clients may use up one server, and each sees only its own answers. Of a server that is used up, what
 * all of them are served is together just what it allows. So a refusal sets the rate a little below what was
 * served lately: who hasn't become faster hardly slows down, who has goes back to where that began.
 *
 * From there it is the curve of CUBIC (S. Ha, I. Rhee, L. Xu, 2008), over starts instead of time, so that
 * the share of what is refused is bounded for slow clients and slow servers as well: back at the rate soon, near it
 * for long, then ever faster beyond. How long depends on how sure it is: a rate that was learnt from a few
 * requests, or that has just proved wrong, is tried again soon.
 *
 * Refusals in a row are no lesson: the server refuses everything for a while. Each makes the next attempt
 * rarer; afterwards the rate begins at a part of what it was, and is soon back.
 */
import { SECOND } from "../../limits/core/index.ts";
import { RecentCount } from "./recent-count.ts";
import { type RequestStart, RequestStarts } from "./request-starts.ts";

/** How it goes back to the rate: from so much below, within so many starts. */
type RateApproach = { readonly below: number; readonly starts: number };

/** For how many starts it stays near a rate that is sure, of which hardly anything is known, or that has changed. */
const SURE = 200;
const GUESSED = 20;
const CHANGED = 15;
/** By how much longer it stays near a rate that has proved right: where it is steady, and where it has changed. */
const LONGER = 2;
const A_LITTLE_LONGER = 1.25;
/** By how much it begins below a rate that it goes back to. */
const BELOW = 0.03;
const AFTER_LOSS: RateApproach = { below: 0.75, starts: 60 };
/** Where no limit was known before an outage: soon as fast as one likes. */
const AFTER_OUTAGE: RateApproach = { below: 0.1, starts: 40 };
/** It stays so much below what was served. */
const MARGIN = 0.04;
/** So many refusals in a row are no matter of a rate any more. */
const LOSS = 5;
/** By how much each of them makes the next attempt rarer. */
const RARER = 0.7;
/** Requests a millisecond, at least. */
const LEAST = 1 / (10 * SECOND);
/** Requests a millisecond, of which a server takes no notice. */
const NEGLIGIBLE_RATE = 2 / SECOND;

/** So many answers and refusals, lately, say something of a rate; fewer don't. */
const ENOUGH_ANSWERS = 10;
/** Milliseconds in which a first burst is taken to have been served, at least. */
const FIRST_BURST = 50;
/** Which part of a rate is believed that was learnt from fewer. */
const GUESS = 0.85;
/** Milliseconds: a wait of no more says how fast one request may follow another. */
const SHORT_WAIT = 2 * SECOND;

/** What counts: the last seconds or requests; and the last few, of which so many refused are a change. */
const LONG = { span: 8 * SECOND, requests: 32, hasHolds: false };
const SHORT = { span: SECOND, requests: 8, hasHolds: true };
/** Refusals among these. */
const SEVERAL = 1.5;
/** The part of a rate below which it is another one; it is at least so much of it. */
const DROP_RATIO = 0.6;
const LEAST_OF_FALL = 0.3;
/** Starts after which a rate is known well enough for a change to be seen. */
const SETTLED = 60;
/** The least part of a rate that is kept where the server lets wait again and again. */
const LEAST_OF_HELD = 0.7;
/** A rate that is within this part of the last one is the same one. */
const SAME_RATE_MARGIN = 0.25;
/** From so many times a rate on, it is another one. */
const RISE_RATIO = 1.25;
/** It grows no further than to so many times what is sent, of late, in milliseconds. */
const GROWTH_BOUND = 2;
const RECENTLY = 2 * SECOND;

/** How fast was served before an outage, and whether that may be all that is allowed. */
export type ProvenRate = { readonly rate: number; readonly isLimit: boolean };

/** A refusal. */
export type RefusalSample = {
  /** How fast was sent by what else is known. */
  readonly paced: number;
  /** For how many milliseconds nothing is to be sent; 0 where nobody says. */
  readonly wait: number;
  /** Which part of what counts as served was refused, too: 0 to 1. */
  readonly share: number;
};

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class LearnedRate {
  readonly #starts: RequestStarts;
  /** The rate that it goes back to; undefined as long as nothing was refused. */
  #anchor: number | undefined;
  #approach: RateApproach = { below: BELOW, starts: SURE };
  /** For how many starts it stays near a rate, by how sure that is. */
  #patience = SURE;
  /** Whether it has never changed. */
  #isSteady = true;
  /** Starts since the last lesson, and since the first. */
  #since = 0;
  #age = 0;
  /** When the last lesson was learnt: what was sent before says no more. */
  #learnt = Number.NEGATIVE_INFINITY;
  readonly #recent: RecentCount;

  constructor(now: number) {
    this.#recent = new RecentCount(now, RECENTLY);
    this.#starts = new RequestStarts(now, { long: LONG, short: SHORT });
  }

  /** How fast it may be sent; `Infinity` as long as nothing was refused. */
  get rate(): number {
    return this.#known ?? Number.POSITIVE_INFINITY;
  }

  /** A request is sent. */
  begin(now: number): RequestStart {
    this.#recent.add(now);
    // Who does not send as fast as it may learns nothing of what lies beyond.
    if (this.rate <= (GROWTH_BOUND * this.#recent.count(now)) / RECENTLY) this.#since++;
    this.#age++;
    return this.#starts.begin(now, this.#known);
  }

  /** What is known before an outage, of which a request that failed is the first sign. Who hardly asked is not slowed down by that. */
  proven(now: number, failed: RequestStart): ProvenRate {
    const { observed } = this.#starts;
    this.#starts.countBefore(failed);
    observed.pass(now, { rate: this.#known, held: 0 });
    const served = Math.max(NEGLIGIBLE_RATE, observed.servedRate({ least: SECOND }));
    // Who has only just begun may have been served all that is allowed.
    const isLimit =
      this.#anchor !== undefined || (observed.servedCount > 0.5 && observed.count < ENOUGH_ANSWERS);
    return { rate: Math.min(this.rate, served), isLimit };
  }

  /** A request was answered, and not refused. */
  served(start: RequestStart): void {
    const inRow = this.#starts.refusedInRow;
    this.#starts.served(start);
    if (inRow >= LOSS && this.#starts.refusedInRow === 0) this.#goBack(AFTER_LOSS);
  }

  /** Nobody waits for its answer any more. */
  brokenOff(start: RequestStart): void {
    this.#starts.brokenOff(start);
  }

  /** A request was refused, though nothing was known that would have spoken against it. */
  refused(now: number, start: RequestStart, refused: RefusalSample): void {
    this.#starts.refused(start);
    this.#starts.held(refused.wait);
    if (start.at < this.#learnt) return;
    if (this.#anchor === undefined) this.#learnFirst(now, refused);
    else if (this.#starts.refusedInRow <= LOSS) this.#slowDown(now, this.#anchor, refused);
  }

  /** What is known of the rate, for `restore`. */
  get known(): number | undefined {
    return this.#anchor;
  }

  /** What was learnt since then was wrong. */
  restore(known: number | undefined): void {
    this.#anchor = known;
    this.#goBack({ below: BELOW, starts: this.#patience });
    this.#since = this.#patience;
  }

  /** After an outage: no faster than before it, to begin with. */
  resume({ rate, isLimit }: ProvenRate): void {
    this.#anchor = rate;
    this.#approach = isLimit ? { below: BELOW, starts: SURE } : AFTER_OUTAGE;
    this.#since = this.#approach.starts;
    // Requests of the outage say nothing of it.
    this.#starts.assume(rate);
  }

  /** Few starts say something only where the server has named a time as well. */
  #learnFirst(now: number, { paced, wait, share }: RefusalSample): void {
    const { observed } = this.#starts;
    const isFounded = observed.count >= ENOUGH_ANSWERS;
    const isSaid = wait > 0 && (wait <= SHORT_WAIT || observed.servedCount >= 0.5);
    if (!isFounded && !isSaid) return;
    const counted = isFounded ? 0 : (1 - observed.servedCount) / (FIRST_BURST + wait);
    const served = Math.max(counted, observed.servedRate({ least: FIRST_BURST + wait }));
    this.#patience = isFounded ? SURE : GUESSED;
    this.#age = 0;
    this.#begin(now, Math.min(served, paced) * (isFounded ? 1 - share : GUESS));
  }

  #slowDown(now: number, anchor: number, refused: RefusalSample): void {
    const reached = anchor * Math.max(1, this.#curve);
    const stood = this.#stood(anchor, reached, refused);
    if (this.#hasFallen(anchor)) this.#fall(now, anchor, stood);
    else if (reached > RISE_RATIO * anchor) this.#stayAbove(now, Math.min(reached, refused.paced));
    else this.#stayNear(now, anchor, stood);
  }

  /** What the server stood of late, by all that is known. */
  #stood(anchor: number, reached: number, { paced, wait, share }: RefusalSample): number {
    const { observed, latest } = this.#starts;
    // Whoever has to wait again so soon sends far too much.
    const isHeld = wait > 0 && latest.refusedCount >= SEVERAL;
    const held = isHeld ? Math.max(LEAST_OF_HELD * anchor, latest.sustainedRate) : reached;
    return Math.min(reached, observed.sustainedRate, paced, held) * (1 - share);
  }

  /** Whether the limit itself is another one than it was, and lower. */
  #hasFallen(anchor: number): boolean {
    const { latest } = this.#starts;
    const isLess = latest.refusedCount >= SEVERAL && latest.sustainedRate < DROP_RATIO * anchor;
    return isLess && this.#age >= SETTLED;
  }

  #fall(now: number, anchor: number, stood: number): void {
    const least = anchor * LEAST_OF_FALL;
    const rate = Math.min(stood, Math.max(least, this.#starts.latest.sustainedRate));
    this.#patience = CHANGED;
    this.#isSteady = false;
    this.#begin(now, rate);
  }

  /** The limit is another one than it was, and higher. */
  #stayAbove(now: number, reached: number): void {
    if (this.#patience >= SURE) this.#isSteady = false;
    this.#patience = this.#isSteady ? Math.min(SURE, this.#patience * LONGER) : CHANGED;
    this.#begin(now, Math.min(reached, this.#starts.latest.sustainedRate));
  }

  #stayNear(now: number, anchor: number, stood: number): void {
    const isSame =
      Math.abs(stood - anchor) <= SAME_RATE_MARGIN * anchor && this.#since >= this.#patience;
    const longer = this.#isSteady ? LONGER : A_LITTLE_LONGER;
    this.#patience = Math.min(SURE, this.#patience * (isSame ? longer : 1));
    this.#learn(now, stood);
  }

  /** Learns a rate of which nothing that was observed says anything. */
  #begin(now: number, stood: number): void {
    this.#learn(now, stood);
    this.#starts.assume(this.#anchor as number);
  }

  #learn(now: number, stood: number): void {
    this.#anchor = Math.max(LEAST, stood * (1 - MARGIN));
    this.#learnt = now;
    this.#goBack({ below: BELOW, starts: Math.max(this.#patience, this.#starts.underWay) });
  }

  #goBack(approach: RateApproach): void {
    this.#approach = approach;
    this.#since = 0;
  }

  get #known(): number | undefined {
    if (this.#anchor === undefined) return undefined;
    const rarer = RARER ** Math.max(0, this.#starts.refusedInRow - LOSS);
    return Math.max(LEAST, this.#anchor * this.#curve * rarer);
  }

  /** 1 where it is back at its rate. */
  get #curve(): number {
    const { below, starts } = this.#approach;
    const times = this.#since / starts;
    const curve = 1 + below * (times - 1) ** 3;
    return this.#isSteady || times <= 2 ? curve : curve * Math.exp(2 * (times - 2));
  }
}
