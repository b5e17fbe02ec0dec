/**
 * Whether refusals without a word, such as bare 503s, are those of a limit, or noise that means nothing.
 *
 * Where more are refused than is usual there, a trial says it: some dozens of requests are sent more slowly. Of a
 * limit hardly any of these is refused; noise does not mind how fast it is asked. What it was learns on: noise is
 * usual from then on, a limit's next refusal is believed at once. That holds until slowing down by half has not
 * helped.
 */
import type { Start } from "./starts.ts";

/** Answers that count, lately, and those over which it is learnt what is usual. */
const LATELY = 32;
const USUALLY = 300;
/** Refusals, at least, of those that count, before anything is tried. */
const LEAST = 5;
/** By how many standard deviations more than usual. */
const LEAST_COUNT = 10;
const DEVIATIONS = 3;
/** Requests of a trial, and which part of what was refused before may be refused of them. */
const TRIAL = 48;
const HARDLY = 0.25;
/** Noise is never so much; then the server does not keep up, and slower is right in any case. */
const MANIFEST = 0.25;
/** A limit is none where it is sent so much less, and so much of what was refused still is. */
const QUARTER = 0.25;
const HALF = 0.5;

/** What is to be done about an answer: nothing; slow down; take back that it was a limit. */
export type RefusalCause = "noise" | "limit" | "not a limit";

type Trial = { readonly since: number; readonly share: number; starts: number; refused: number };

export class BareRefusals {
  #count = 0;
  #refused = 0;
  /** Which part is refused usually, and means nothing. */
  #usual = 0;
  #trial: Trial | undefined;
  /** The share that made it a limit, and how fast was sent then; undefined where none is known. */
  #limit: { readonly share: number; readonly rate: number } | undefined;

  /** Which part was refused lately, from 0 to 1. */
  get share(): number {
    return this.#refused / Math.max(LEAST_COUNT, this.#count);
  }

  /** Whether they are known to be a limit's. */
  get isLimit(): boolean {
    return this.#limit !== undefined;
  }

  /** An answer that is no bare refusal. */
  served(start: Start): RefusalCause {
    this.#pass();
    this.#usual -= this.#limit === undefined ? this.#usual / USUALLY : 0;
    return this.#tried(start, false);
  }

  /** @param rate How fast may be sent now, as far as that is learnt. */
  refused(
    start: Start,
    { now, rate }: { readonly now: number; readonly rate: number },
  ): RefusalCause {
    this.#pass();
    this.#refused++;
    if (this.#trial !== undefined) return this.#tried(start, true);
    if (this.#limit !== undefined) return this.#doubted(this.#limit, rate);
    const usual = this.#usual * LATELY;
    const spread = DEVIATIONS * Math.sqrt(usual * (1 - this.#usual));
    this.#usual += (1 - this.#usual) / USUALLY;
    const isManifest = this.#refused >= LEAST && this.share >= MANIFEST;
    if (!isManifest && this.#refused < Math.max(LEAST, usual + spread)) return "noise";
    if (isManifest) this.#limit = { share: this.share, rate: Number.POSITIVE_INFINITY };
    else this.#trial = { since: now, share: this.share, starts: 0, refused: 0 };
    return "limit";
  }

  #pass(): void {
    this.#count = this.#count * (1 - 1 / LATELY) + 1;
    this.#refused *= 1 - 1 / LATELY;
  }

  /** What was sent before the trial began says nothing of it. */
  #tried(start: Start, isRefused: boolean): RefusalCause {
    const trial = this.#trial;
    if (trial === undefined || start.at < trial.since) return "noise";
    trial.starts++;
    if (isRefused) trial.refused++;
    if (trial.refused > HARDLY * trial.share * TRIAL) {
      this.#trial = undefined;
      this.#usual = Math.max(this.#usual, Math.min(trial.share, trial.refused / trial.starts));
      return "not a limit";
    }
    if (trial.starts < TRIAL) return "noise";
    this.#trial = undefined;
    this.#limit = { share: trial.share, rate: Number.POSITIVE_INFINITY };
    return "noise";
  }

  #doubted({ share, rate: before }: { share: number; rate: number }, rate: number): RefusalCause {
    const isFirst = before === Number.POSITIVE_INFINITY;
    if (isFirst) this.#limit = { share, rate };
    if (isFirst || rate > QUARTER * before || this.share < HALF * share) return "limit";
    this.#limit = undefined;
    this.#usual = Math.max(this.#usual, this.share);
    return "not a limit";
  }
}
