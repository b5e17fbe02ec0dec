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
import { SECOND } from "../../core/index.ts";
import { RecentCount } from "./recent-count.ts";
import { type Start, Starts } from "./starts.ts";

/** How it goes back to the rate: from so much below, within so many starts. */
type Approach = { readonly below: number; readonly starts: number };

/** Starts near a rate that is sure, and near one of which hardly anything is known, or that has changed. */
const SURE = 200;
const GUESSED = 20;
const CHANGED = 15;
/** By how much longer it stays near a rate that has proved right: where it is steady, and where it has changed. */
const SOON = 2;
const SLOWLY = 1.25;
const BELOW = 0.03;
const AFTER_LOSS: Approach = { below: 0.75, starts: 60 };
/** Where no limit was known before an outage: soon as fast as one likes. */
const AFTER_OUTAGE: Approach = { below: 0.1, starts: 40 };
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
/** What counts: the last seconds or requests; and the last few, of which so many refused are a change. */
const LONG = { span: 8 * SECOND, requests: 32, hasHolds: false };
const SHORT = { span: SECOND, requests: 8, hasHolds: true };
const FEW = 1.5;
const LESS = 0.6;
/** It grows no further than to so many times what is sent, of late. */
const BEYOND = 2;
const RECENTLY = 2 * SECOND;
/** Starts after which a rate is known well enough for a change to be seen. */
const SETTLED = 60;
/** A change is at most so much at once. */
const STEEPEST = 0.3;
const GUESS = 0.85;
/** A wait of no more says how fast one request may follow another. */
const SOON_AGAIN = 2 * SECOND;
const GENTLY = 0.7;
/** A rate that is within this part of the last one is the same one. */
const SAME = 0.25;
/** From so many times a rate on, it is another one. */
const GROWN = 1.25;

/** How fast was served before an outage, and whether that may be all that is allowed. */
export type Proven = { readonly rate: number; readonly isLimit: boolean };

/** A refusal. */
export type Refused = {
  /** How fast was sent by what else is known. */
  readonly paced: number;
  /** For how many milliseconds nothing is to be sent; 0 where nobody says. */
  readonly wait: number;
  /** Which part of what counts as served was refused, too: 0 to 1. */
  readonly share: number;
};

/** Milliseconds of a clock that never steps; rates in requests a millisecond. */
export class LearnedRate {
  readonly #starts: Starts;
  /** The rate that it goes back to; undefined as long as nothing was refused. */
  #anchor: number | undefined;
  #approach: Approach = { below: BELOW, starts: SURE };
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
    this.#starts = new Starts(now, { long: LONG, short: SHORT });
  }

  /** How fast it may be sent; `Infinity` as long as nothing was refused. */
  get rate(): number {
    return this.#known ?? Number.POSITIVE_INFINITY;
  }

  /** A request is sent. */
  begin(now: number): Start {
    this.#recent.add(now);
    // Who does not send as fast as it may learns nothing of what lies beyond.
    if (this.rate <= (BEYOND * this.#recent.count(now)) / RECENTLY) this.#since++;
    this.#age++;
    return this.#starts.begin(now, this.#known);
  }

  /** What is known before an outage that begins now. Who hardly asked is not slowed down by that. */
  proven(now: number): Proven {
    const { observed } = this.#starts;
    observed.pass(now, { rate: this.#known, held: 0 });
    const served = Math.max(HARDLY, observed.servedRate({ least: SECOND }));
    // Who has only just begun may have been served all that is allowed.
    const isLimit =
      this.#anchor !== undefined || (observed.servedCount > 0.5 && observed.count < ENOUGH);
    return { rate: Math.min(this.rate, served), isLimit };
  }

  /** A request was answered, and not refused. */
  served(start: Start): void {
    const inRow = this.#starts.refusedInRow;
    this.#starts.served(start);
    if (inRow >= LOSS && this.#starts.refusedInRow === 0) this.#goBack(AFTER_LOSS);
  }

  /** A request was refused, though nothing was known that would have spoken against it. */
  refused(now: number, start: Start, refused: Refused): void {
    this.#starts.refused(start);
    this.#starts.held(refused.wait);
    if (start.at < this.#learnt) return;
    if (this.#anchor === undefined) this.#begin(now, refused);
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
  resume({ rate, isLimit }: Proven): void {
    this.#anchor = rate;
    this.#approach = isLimit ? { below: BELOW, starts: SURE } : AFTER_OUTAGE;
    this.#since = this.#approach.starts;
  }

  /** Few starts say something only where the server has named a time as well. */
  #begin(now: number, { paced, wait, share }: Refused): void {
    const { observed } = this.#starts;
    const isFounded = observed.count >= ENOUGH;
    const isSaid = wait > 0 && (wait <= SOON_AGAIN || observed.servedCount >= 0.5);
    if (!isFounded && !isSaid) return;
    const counted = isFounded ? 0 : (1 - observed.servedCount) / (FIRST_BURST + wait);
    const served = Math.max(counted, observed.servedRate({ least: FIRST_BURST + wait }));
    this.#patience = isFounded ? SURE : GUESSED;
    this.#age = 0;
    this.#learn(now, Math.min(served, paced) * (isFounded ? 1 - share : GUESS));
    this.#starts.assume(this.#anchor as number);
  }

  #slowDown(now: number, anchor: number, { paced, wait, share }: Refused): void {
    const { observed, latest } = this.#starts;
    const reached = anchor * Math.max(1, this.#curve);
    // Whoever has to wait again so soon sends far too much.
    const isHeld = wait > 0 && latest.refusedCount >= FEW;
    const held = isHeld ? Math.max(GENTLY * anchor, latest.sustainedRate) : reached;
    const stood = Math.min(reached, observed.sustainedRate, paced, held) * (1 - share);
    const isLess = latest.refusedCount >= FEW && latest.sustainedRate < LESS * anchor;
    const isChange = isLess && this.#age >= SETTLED;
    if (isChange) {
      const least = anchor * STEEPEST;
      const rate = Math.min(stood, Math.max(least, latest.sustainedRate));
      this.#patience = CHANGED;
      this.#isSteady = false;
      this.#learn(now, rate);
      this.#starts.assume(this.#anchor as number);
      return;
    }
    if (reached > GROWN * anchor) {
      if (this.#patience >= SURE) this.#isSteady = false;
      this.#patience = this.#isSteady ? Math.min(SURE, this.#patience * 2) : CHANGED;
      this.#learn(now, Math.min(reached, latest.sustainedRate, paced));
      this.#starts.assume(this.#anchor as number);
      return;
    }
    const isSame = Math.abs(stood - anchor) <= SAME * anchor && this.#since >= this.#patience;
    this.#patience = Math.min(
      SURE,
      this.#patience * (isSame ? (this.#isSteady ? SOON : SLOWLY) : 1),
    );
    this.#learn(now, stood);
  }

  #learn(now: number, stood: number): void {
    this.#anchor = Math.max(LEAST, stood * (1 - MARGIN));
    this.#learnt = now;
    this.#goBack({ below: BELOW, starts: Math.max(this.#patience, this.#starts.underWay) });
  }

  #goBack(approach: Approach): void {
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
