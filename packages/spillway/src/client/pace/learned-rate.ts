/**
 * Learns the rate that a server allows from its refusals, for servers that report nothing else.
 *
 * Many clients may share one server, and each sees only its own answers. When its limit is used up,
 * what it serves to all of them together is exactly what it allows. So a refusal sets the rate a
 * little below what was served recently. Clients that have not become faster hardly slow down.
 * Those that have become faster return to the rate from which they rose.
 *
 * From there the rate follows the curve of CUBIC (S. Ha, I. Rhee, L. Xu, 2008), over requests
 * instead of time. So the share of refusals is bounded for slow clients and slow servers too. The
 * rate soon returns to its former value, stays near it for a long time, and then exceeds it ever
 * faster. How long it stays depends on how certain it is. A rate that was learnt from a few
 * requests, or that has just proved wrong, is soon exceeded.
 *
 * No rate is learnt from many refusals in a row: the server refuses everything for a while. Each
 * one makes the next attempt rarer. Afterwards the rate begins at a part of what it was, and soon
 * returns to it.
 */
import { SECOND } from "../../limits/core/index.ts";
import type { ProvenRate, RefusalSample } from "./rate-samples.ts";
import { RecentCount } from "./recent-count.ts";
import { type RequestStart, RequestStarts } from "./request-starts.ts";

/**
 * How requests return to the learnt rate: from the fraction `below` under it, within `starts`
 * requests.
 */
type RateApproach = { readonly below: number; readonly starts: number };

/**
 * For how many requests the rate stays near a learnt one: if that is certain, a guess, or has just
 * changed.
 */
const SURE = 200;
const GUESSED = 20;
const CHANGED = 15;
/**
 * The factor by which that number grows if a rate proves right: for a steady limit, and for a
 * changed one.
 */
const LONGER = 2;
const A_LITTLE_LONGER = 1.25;
/**
 * The fraction below the learnt rate at which requests begin again; and how they return after
 * refusals in a row.
 */
const BELOW = 0.03;
const AFTER_LOSS: RateApproach = { below: 0.75, starts: 60 };
/**
 * How requests return after an outage if no limit was known before: the rate soon grows without a
 * bound.
 */
const AFTER_OUTAGE: RateApproach = { below: 0.1, starts: 40 };
/** The fraction by which the learnt rate stays below what was served. */
const MARGIN = 0.04;
/** The maximum number of refusals in a row from which a rate is still learnt. */
const LOSS = 5;
/** The factor by which each further one reduces the rate. */
const RARER = 0.7;
/** The lowest rate, in requests a millisecond. */
const LEAST = 1 / (10 * SECOND);
/** A rate that does not matter to any server, in requests a millisecond. */
const NEGLIGIBLE_RATE = 2 / SECOND;

/** The minimum number of recent answers and refusals to learn a rate from. */
const ENOUGH_ANSWERS = 10;
/** The shortest time in which a first burst is assumed to have been served, in milliseconds. */
const FIRST_BURST = 50;
/** The fraction that is used of a rate learnt from fewer answers. */
const GUESS = 0.85;
/** The longest wait, in milliseconds, that shows how soon one request may follow another. */
const SHORT_WAIT = 2 * SECOND;

/**
 * The history that counts: the last seconds or requests; and the last few requests, in which a
 * change shows.
 */
const LONG = { span: 8 * SECOND, requests: 32, hasHolds: false };
const SHORT = { span: SECOND, requests: 8, hasHolds: true };
/**
 * The minimum number of refusals in the short history that counts as repeated. Older refusals count
 * for less than 1.
 */
const SEVERAL = 1.5;
/**
 * The fraction of the learnt rate below which the limit has changed; and the least fraction that is
 * then kept.
 */
const DROP_RATIO = 0.6;
const LEAST_OF_FALL = 0.3;
/** The number of requests after which a rate is known well enough to detect a change. */
const SETTLED = 60;
/** The least fraction of a rate that is kept if the server names waits again and again. */
const LEAST_OF_HELD = 0.7;
/** Rates that differ by no more than this fraction are the same. */
const SAME_RATE_MARGIN = 0.25;
/** The limit has changed if the rate exceeds the learnt one by this factor. */
const RISE_RATIO = 1.25;
/**
 * The rate grows up to this multiple of the rate of recent requests, counted with this time
 * constant. The time constant is in milliseconds.
 */
const GROWTH_BOUND = 2;
const RECENTLY = 2 * SECOND;

/**
 * The rate learnt for one host. Instants are milliseconds of a monotonic clock; rates are in
 * requests a millisecond.
 */
export class LearnedRate {
  readonly #starts: RequestStarts;
  /** The learnt rate, to which requests return; undefined until one is learnt. */
  #anchor: number | undefined;
  #approach: RateApproach = { below: BELOW, starts: SURE };
  /** For how many requests the rate stays near the learnt one, by how certain that is. */
  #patience = SURE;
  /** Whether the limit has never changed. */
  #isSteady = true;
  /**
   * Requests since the rate was last learnt, sent about as fast as allowed; and all requests since
   * it was first learnt.
   */
  #since = 0;
  #age = 0;
  /** When the rate was last learnt. Nothing more is learnt from requests sent before. */
  #learnt = Number.NEGATIVE_INFINITY;
  readonly #recent: RecentCount;

  constructor(now: number) {
    this.#recent = new RecentCount(now, RECENTLY);
    this.#starts = new RequestStarts(now, { long: LONG, short: SHORT });
  }

  /** The rate at which requests may be sent; `Infinity` until one is learnt. */
  get rate(): number {
    return this.#known ?? Number.POSITIVE_INFINITY;
  }

  /** Records that a request is sent. */
  begin(now: number): RequestStart {
    this.#recent.add(now);
    // A client that sends far less than it may learns nothing of higher rates.
    if (this.rate <= (GROWTH_BOUND * this.#recent.count(now)) / RECENTLY) this.#since++;
    this.#age++;
    return this.#starts.begin(now, this.#known);
  }

  /**
   * Returns the rate proven before an outage, of which the failed request is the first sign. Counts
   * all requests sent before it. A client that sent hardly anything is not slowed down.
   */
  proven(now: number, failed: RequestStart): ProvenRate {
    const { observed } = this.#starts;
    this.#starts.countBefore(failed);
    observed.pass(now, { rate: this.#known, held: 0 });
    const served = Math.max(NEGLIGIBLE_RATE, observed.servedRate({ least: SECOND }));
    // A client that has only just begun may have been served all that is allowed.
    const isLimit =
      this.#anchor !== undefined || (observed.servedCount > 0.5 && observed.count < ENOUGH_ANSWERS);
    return { rate: Math.min(this.rate, served), isLimit };
  }

  /** Records that a request was answered, and not refused. */
  served(start: RequestStart): void {
    const inRow = this.#starts.refusedInRow;
    this.#starts.served(start);
    if (inRow >= LOSS && this.#starts.refusedInRow === 0) this.#goBack(AFTER_LOSS);
  }

  /** Records that a request was aborted by its caller. */
  brokenOff(start: RequestStart): void {
    this.#starts.brokenOff(start);
  }

  /** Records a refusal that nothing else explains, and learns a lower rate from it. */
  refused(now: number, start: RequestStart, refused: RefusalSample): void {
    this.#starts.refused(start);
    this.#starts.held(refused.wait);
    if (start.at < this.#learnt) return;
    if (this.#anchor === undefined) this.#learnFirst(now, refused);
    else if (this.#starts.refusedInRow <= LOSS) this.#slowDown(now, this.#anchor, refused);
  }

  /** The learnt rate, for `restore`; undefined if there is none. */
  get known(): number | undefined {
    return this.#anchor;
  }

  /** Restores an earlier rate, because what was learnt since then was wrong. */
  restore(known: number | undefined): void {
    this.#anchor = known;
    this.#goBack({ below: BELOW, starts: this.#patience });
    this.#since = this.#patience;
  }

  /** Continues after an outage: at first no faster than before it. */
  resume({ rate, isLimit }: ProvenRate): void {
    this.#anchor = rate;
    this.#approach = isLimit ? { below: BELOW, starts: SURE } : AFTER_OUTAGE;
    this.#since = this.#approach.starts;
    // Nothing is learnt about this rate from requests during the outage.
    this.#starts.assume(rate);
  }

  /**
   * Learns the first rate. With fewer than `ENOUGH_ANSWERS` answers, one is learnt only if the
   * server has also named a wait.
   */
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

  /** Returns the rate that the server has recently served, by all that is known. */
  #stood(anchor: number, reached: number, { paced, wait, share }: RefusalSample): number {
    const { observed, latest } = this.#starts;
    // A client that has to wait again so soon sends far too much.
    const isHeld = wait > 0 && latest.refusedCount >= SEVERAL;
    const held = isHeld ? Math.max(LEAST_OF_HELD * anchor, latest.sustainedRate) : reached;
    return Math.min(reached, observed.sustainedRate, paced, held) * (1 - share);
  }

  /** Returns whether the limit has changed to a lower one. */
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

  /** Learns a limit that has changed to a higher one. */
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

  /** Learns a rate that earlier observations do not apply to, and discards these. */
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

  /** The factor on the learnt rate: 1 when requests have returned to it. */
  get #curve(): number {
    const { below, starts } = this.#approach;
    const times = this.#since / starts;
    const curve = 1 + below * (times - 1) ** 3;
    return this.#isSteady || times <= 2 ? curve : curve * Math.exp(2 * (times - 2));
  }
}
