import { checkBetween } from "../../internal/index.ts";
import { DAY } from "../../limits/core/index.ts";

/** The settings of an accept ratio. */
export type AcceptRatioSettings = {
  /**
   * The requests to send for each accepted one, from 1.01 to 100. At 2, half of them may be
   * refused.
   */
  readonly k: number;
  /** The time for which requests are counted, in milliseconds: 1 to a day. */
  readonly window: number;
};

/** The number of parts of the window. Each part is forgotten as a whole. */
const PARTS = 12;

type RatioBucket = { readonly number: number; asked: number; accepted: number };

/**
 * Computes the probability with which a client should refuse requests that its server would refuse.
 *
 * The probability is max(0, (asked - k · accepted) / (asked + 1)) over the last window (B. Beyer et
 * al., Site Reliability Engineering, 2016, chapter 21, "Client-side throttling"). For clients only:
 * a server would count its own refusals as refusals by others. Use one for each priority, so that
 * the least important requests are refused first.
 */
export class AcceptRatio {
  readonly #settings: AcceptRatioSettings;
  #parts: RatioBucket[] = [];

  /** @throws SpillwayError `bad-option` if a setting is invalid */
  constructor(settings: AcceptRatioSettings) {
    const { k, window } = settings;
    checkBetween("k", k, { least: 1.01, most: 100 });
    checkBetween("window", window, { least: 1, most: DAY });
    this.#settings = settings;
  }

  /**
   * Counts a request, even if it is then refused here. `now` is in milliseconds from any starting
   * point.
   */
  asked(now: number): void {
    this.#partOf(now).asked++;
  }

  /** Counts a request that the server accepted: any response that is not a refusal. */
  accepted(now: number): void {
    this.#partOf(now).accepted++;
  }

  /** Returns the probability with which the next request should be refused here, from 0 to 1. */
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
