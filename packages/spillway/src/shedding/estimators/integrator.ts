import { checkBetween } from "../../internal/index.ts";
import { DAY } from "../../limits/core/index.ts";

/** How an integrator reacts to what it receives. */
export type IntegratorSettings = {
  /** Below this utilization shedding becomes less: 0.01 to 0.99. */
  readonly lowWatermark: number;
  /** Above this it becomes more: from `lowWatermark` to 0.99; between the two it stays. */
  readonly highWatermark: number;
  /** Milliseconds of full utilization before anything is shed, after a time of ease: 0 to a day. */
  readonly grace: number;
  /** Milliseconds of full utilization from none to all: 1 to a day. */
  readonly span: number;
  /**
   * The most milliseconds for which one reading can make it more: 1 to a day. A falling amount has
   * no such bound.
   */
  readonly gap: number;
};

/**
 * How much to shed, from how busy something is: slow both ways, so that nothing flaps.
 *
 * While it is busier than `highWatermark` the amount grows, by as much as it is busier; while it is
 * less busy than `lowWatermark` it shrinks; and it rests below zero, so that a short peak sheds
 * nothing. (P. Tarjan, "Scaling your API with rate limiters", 2017: the worker utilization load
 * shedder.)
 */
export class Integrator {
  readonly #settings: IntegratorSettings;
  #amount: number;
  #changed: number | undefined;

  /** @throws SpillwayError `bad-option` if the keys are invalid */
  constructor(settings: IntegratorSettings) {
    const { lowWatermark, highWatermark, grace, span, gap } = settings;
    checkBetween("lowWatermark", lowWatermark, { least: 0.01, most: 0.99 });
    checkBetween("highWatermark", highWatermark, { least: lowWatermark, most: 0.99 });
    checkBetween("grace", grace, { least: 0, most: DAY });
    checkBetween("span", span, { least: 1, most: DAY });
    checkBetween("gap", gap, { least: 1, most: DAY });
    this.#settings = settings;
    this.#amount = -settings.grace / settings.span;
  }

  /** The share of all that can be shed, from 0 to 1. */
  get amount(): number {
    return Math.max(0, this.#amount);
  }

  /**
   * Learns of the utilization since the last time; undefined, where nothing is known of it, counts
   * as none: what is shed becomes less.
   *
   * @param now Milliseconds, of which only differences matter; no more than `gap` counts upwards.
   */
  update(utilization: number | undefined, now: number): void {
    const { grace, span, gap } = this.#settings;
    const since = Math.max(0, now - (this.#changed ?? now));
    this.#changed = now;
    // A signal that has died must not refuse anybody for good.
    const tendency = this.#tendency(utilization ?? 0);
    const counted = tendency > 0 ? Math.min(since, gap) : since;
    const next = this.#amount + (counted * tendency) / span;
    this.#amount = Math.min(1, Math.max(-grace / span, next));
  }

  /** From -1, for none, through 0 to 1, for full utilization. */
  #tendency(utilization: number): number {
    const { lowWatermark, highWatermark } = this.#settings;
    if (utilization < lowWatermark) return utilization / lowWatermark - 1;
    if (utilization < highWatermark) return 0;
    return Math.min(1, (utilization - highWatermark) / (1 - highWatermark));
  }
}
