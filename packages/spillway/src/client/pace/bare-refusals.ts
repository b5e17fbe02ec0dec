/**
 * Whether refusals without a word, such as bare 503s, are those of a limit, or noise that means nothing.
 *
 * Where more are refused than is usual there, a trial says it: some dozens of requests are sent more slowly. Of a
 * limit hardly any of these is refused; noise does not mind how fast it is asked. What was found out holds: noise is
 * usual from then on, a limit's next refusal is believed at once, until slowing down has not helped.
 */
import type { RequestStart } from "./request-starts.ts";

/** Answers that count, lately, and those over which it is learnt what is usual. */
const RECENT_ANSWERS = 32;
const USUALLY = 300;
/** Refusals, at least, of those that count, before anything is tried. */
const LEAST = 5;
/** By how many standard deviations more than usual. */
const LEAST_COUNT = 10;
const DEVIATIONS = 3;
/** Which part is still refused of requests that are sent as slowly as a limit stands. */
const OF_LIMIT = 0.03;
/** Noise is at least so much, and of what was refused lately this part: that was more than usual. */
const LEAST_NOISE = 0.08;
const OF_SHARE = 0.5;
/** By which factor one is more likely than the other when it is decided. */
const DECIDED = Math.log(15);
/** The same where a limit is believed already; and how much slower must be sent before. */
const REFUTED = Math.log(150);
const QUARTER = 0.25;
/** Noise is never so much; then the server does not keep up, and slower is right in any case. */
const MANIFEST = 0.25;

/** What is to be done about an answer: nothing; slow down; take back that it was a limit. */
export type RefusalCause = "noise" | "limit" | "not a limit";

/**
 * Requests that are sent more slowly, since an instant: how much likelier what they were answered is where refusals are
 * noise than where they are a limit's, as a logarithm (the sequential test of A. Wald, 1945).
 */
type SlowerTrial = {
  readonly since: number;
  readonly share: number;
  starts: number;
  refused: number;
  score: number;
};

/** A limit that is believed: how fast was sent then, as soon as that is known, and whether it is half of that now. */
type SuspectedLimit = { readonly trial: SlowerTrial; rate: number; isSlow: boolean };

export class BareRefusals {
  #count = 0;
  #refused = 0;
  /** Which part is refused usually, and means nothing. */
  #usual = 0;
  #trial: SlowerTrial | undefined;
  #limit: SuspectedLimit | undefined;

  /** Which part was refused lately, from 0 to 1. */
  get share(): number {
    return this.#refused / Math.max(LEAST_COUNT, this.#count);
  }

  /** Whether they are known to be a limit's. */
  get isLimit(): boolean {
    return this.#limit !== undefined;
  }

  /** An answer that is no bare refusal. */
  served(start: RequestStart): RefusalCause {
    this.#pass();
    this.#usual -= this.#limit === undefined ? this.#usual / USUALLY : 0;
    if (this.#limit?.isSlow) doubt(this.#limit.trial, false);
    return this.#tried(start, false);
  }

  /** @param rate How fast may be sent now, as far as that is learnt. */
  refused(
    start: RequestStart,
    { now, rate }: { readonly now: number; readonly rate: number },
  ): RefusalCause {
    this.#pass();
    this.#refused++;
    if (this.#trial !== undefined) return this.#tried(start, true);
    if (this.#limit !== undefined) return this.#doubted(this.#limit, rate);
    const isUnusual = this.#refused >= this.#mostUsual;
    this.#usual += (1 - this.#usual) / USUALLY;
    if (!isUnusual) return "noise";
    const trial = { since: now, share: this.share, starts: 0, refused: 0, score: 0 };
    if (this.share >= MANIFEST) this.#limit = suspectLimit(trial);
    else this.#trial = trial;
    return "limit";
  }

  #pass(): void {
    this.#count = this.#count * (1 - 1 / RECENT_ANSWERS) + 1;
    this.#refused *= 1 - 1 / RECENT_ANSWERS;
  }

  /** So many of those that count are refused by chance, where it goes on as usual. */
  get #mostUsual(): number {
    const usual = this.#usual * RECENT_ANSWERS;
    return Math.max(LEAST, usual + DEVIATIONS * Math.sqrt(usual * (1 - this.#usual)));
  }

  /** What was sent before the trial began says nothing of it. */
  #tried(start: RequestStart, isRefused: boolean): RefusalCause {
    const trial = this.#trial;
    if (trial === undefined || start.at < trial.since) return "noise";
    add(trial, isRefused);
    const isManifest = trial.refused >= MANIFEST * trial.starts;
    const isEarly = trial.score > 0 && isManifest && trial.starts < RECENT_ANSWERS;
    if (Math.abs(trial.score) < DECIDED || isEarly) return "noise";
    this.#trial = undefined;
    if (trial.score > 0 && !isManifest) return this.#isNoise(trial);
    this.#limit = suspectLimit(trial);
    return "noise";
  }

  /** Of a limit nothing is refused at a quarter of its rate, unless others use it up. */
  #doubted(limit: SuspectedLimit, rate: number): RefusalCause {
    if (limit.rate === Number.POSITIVE_INFINITY) limit.rate = rate;
    limit.isSlow = rate <= QUARTER * limit.rate;
    if (limit.isSlow) doubt(limit.trial, true);
    else limit.trial.score = 0;
    if (limit.trial.score < REFUTED) return "limit";
    this.#limit = undefined;
    return this.#isNoise(limit.trial);
  }

  /** So much is usual from now on. */
  #isNoise({ share, refused, starts }: SlowerTrial): RefusalCause {
    this.#usual = Math.max(this.#usual, Math.min(share, refused / starts));
    return "not a limit";
  }
}

function suspectLimit(trial: SlowerTrial): SuspectedLimit {
  return { trial: { ...trial, score: 0 }, rate: Number.POSITIVE_INFINITY, isSlow: false };
}

function add(trial: SlowerTrial, isRefused: boolean): void {
  const noise = Math.max(LEAST_NOISE, OF_SHARE * trial.share);
  trial.starts++;
  if (isRefused) trial.refused++;
  trial.score += isRefused ? Math.log(noise / OF_LIMIT) : Math.log((1 - noise) / (1 - OF_LIMIT));
}

/** Whatever spoke for a limit is over: only what comes all of a sudden speaks against it. */
function doubt(trial: SlowerTrial, isRefused: boolean): void {
  add(trial, isRefused);
  trial.score = Math.max(0, trial.score);
}
