/**
 * Decides whether bare refusals, such as 503s without any advice, come from a limit or are noise.
 *
 * If more are refused than is usual for the host, a trial decides: some dozens of requests are sent
 * more slowly. A limit then refuses hardly any of them; noise does not depend on the rate. The
 * result lasts. If it is noise, this share of refusals is usual from then on. If it is a limit,
 * each further refusal slows down at once, until slowing down no longer helps.
 */
import type { RequestStart } from "./request-starts.ts";

/**
 * The number of recent answers that count; and the number of answers over which the usual share of
 * refusals is averaged.
 */
const RECENT_ANSWERS = 32;
const USUALLY = 300;
/** The minimum number of refusals among the recent answers before a trial begins. */
const LEAST = 5;
/**
 * The least denominator of a share; and the standard deviations above the usual number of refusals
 * at which a trial begins.
 */
const LEAST_COUNT = 10;
const DEVIATIONS = 3;
/** The share of requests that a limit still refuses if they are sent no faster than it allows. */
const OF_LIMIT = 0.03;
/**
 * The share of refusals that is assumed for noise: at least `LEAST_NOISE`, or this fraction of the
 * recent share. Only a fraction, because the recent share was higher than usual.
 */
const LEAST_NOISE = 0.08;
const OF_SHARE = 0.5;
/** The logarithm of the likelihood ratio at which a trial is decided. */
const DECIDED = Math.log(15);
/**
 * The threshold of the same ratio at which an assumed limit is rejected; and the fraction of the
 * limit's rate up to which refusals are evidence against it.
 */
const REFUTED = Math.log(150);
const QUARTER = 0.25;
/**
 * The share above which refusals are never considered noise. The server is then overloaded,
 * and slowing down is right in any case.
 */
const MANIFEST = 0.25;

/** The conclusion from an answer: nothing changes, slow down, or undo the assumption of a limit. */
export type RefusalCause = "noise" | "limit" | "not a limit";

/**
 * A trial of sending more slowly, since an instant. `score` is the logarithm of a likelihood ratio:
 * its answers under noise against its answers under a limit. The test is sequential (A. Wald,
 * 1945).
 */
type SlowerTrial = {
  readonly since: number;
  readonly share: number;
  starts: number;
  refused: number;
  score: number;
};

/**
 * A limit that is assumed. `rate` is the rate at its next refusal, `Infinity` until then. `isSlow`
 * is true while requests are sent at a quarter of it or less.
 */
type SuspectedLimit = { readonly trial: SlowerTrial; rate: number; isSlow: boolean };

export class BareRefusals {
  #count = 0;
  #refused = 0;
  /** The share that is usually refused, as noise: 0 to 1. */
  #usual = 0;
  #trial: SlowerTrial | undefined;
  #limit: SuspectedLimit | undefined;

  /** The share that was refused recently, from 0 to 1. */
  get share(): number {
    return this.#refused / Math.max(LEAST_COUNT, this.#count);
  }

  /** Whether refusals are assumed to come from a limit. */
  get isLimit(): boolean {
    return this.#limit !== undefined;
  }

  /** Records an answer that is not a bare refusal. */
  served(start: RequestStart): RefusalCause {
    this.#pass();
    this.#usual -= this.#limit === undefined ? this.#usual / USUALLY : 0;
    if (this.#limit?.isSlow) doubt(this.#limit.trial, false);
    return this.#tried(start, false);
  }

  /**
   * Records a bare refusal.
   *
   * @param rate The rate that may be sent now, as far as it was learnt, in requests a millisecond.
   */
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

  /**
   * The largest number of refusals among the recent answers that chance explains.
   */
  get #mostUsual(): number {
    const usual = this.#usual * RECENT_ANSWERS;
    return Math.max(LEAST, usual + DEVIATIONS * Math.sqrt(usual * (1 - this.#usual)));
  }

  /** Adds an answer to the trial. Answers to requests sent before the trial do not count. */
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

  /**
   * Judges a refusal under an assumed limit. At a quarter of its rate a limit refuses nothing,
   * unless others use it up.
   */
  #doubted(limit: SuspectedLimit, rate: number): RefusalCause {
    if (limit.rate === Number.POSITIVE_INFINITY) limit.rate = rate;
    limit.isSlow = rate <= QUARTER * limit.rate;
    if (limit.isSlow) doubt(limit.trial, true);
    else limit.trial.score = 0;
    if (limit.trial.score < REFUTED) return "limit";
    this.#limit = undefined;
    return this.#isNoise(limit.trial);
  }

  /** Makes the share refused in the trial the usual one, if it is higher. */
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

/**
 * Adds an answer as evidence against an assumed limit. Earlier evidence for the limit is dropped,
 * so that only recent refusals count against it.
 */
function doubt(trial: SlowerTrial, isRefused: boolean): void {
  add(trial, isRefused);
  trial.score = Math.max(0, trial.score);
}
