import { checkBetween } from "../../internal/index.ts";
import { DAY } from "../../limits/core/index.ts";

/** How a client judges what it is answered. */
export type AcceptRatioSettings = {
  /** How many asks each accepted one is worth: 2 lets half of them be in vain; 1.01 to 100. */
  readonly k: number;
  /** Milliseconds that count: 1 to a day. */
  readonly window: number;
};

/** Parts of the window, each of which is forgotten as a whole. */
const PARTS = 12;

type RatioBucket = { readonly number: number; asked: number; accepted: number };

/**
 * With what probability a client should refuse itself what its server would refuse anyway.
 *
 * max(0, (asked - k · accepted) / (asked + 1)) over the last window (B. Beyer et al., Site
 * Reliability Engineering, 2016, chapter 21, "Client-side throttling"). For clients alone: on a
 * server it would take its own refusals for those of others. One for each priority, so that the
 * least important learns first.
 */
export class AcceptRatio {
  readonly #settings: AcceptRatioSettings;
  #parts: RatioBucket[] = [];

  /** @throws SpillwayError `bad-option` if the keys are invalid */
  constructor(settings: AcceptRatioSettings) {
    const { k, window } = settings;
    checkBetween("k", k, { least: 1.01, most: 100 });
    checkBetween("window", window, { least: 1, most: DAY });
    this.#settings = settings;
  }

  /**
   * Somebody asked; also when it is then refused here. `now` is milliseconds from any beginning.
   */
  asked(now: number): void {
    this.#partOf(now).asked++;
  }

  /** A call was accepted there: an answer that is no refusal. */
  accepted(now: number): void {
    this.#partOf(now).accepted++;
  }

  /** The probability with which the next ask should be refused here, from 0 to 1. */
  refusal(now: number): number {
    this.#partOf(now);
    const asked = this.#parts.reduce((sum, part) => sum + part.asked, 0);
    const accepted = this.#parts.reduce((sum, part) => sum + part.accepted, 0);
    return Math.max(0, (asked - this.#settings.k * accepted) / (asked + 1));
  }

  #partOf(now: number): RatioBucket {
    const number = Math.floor((now * PARTS) / this.#settings.window);
    this.#parts = this.#parts.filter((part) => part.number > number - PARTS);
    const newest = this.#parts.at(-1);
    if (newest !== undefined && newest.number >= number) return newest;
    const part = { number, asked: 0, accepted: 0 };
    this.#parts.push(part);
    return part;
  }
}
