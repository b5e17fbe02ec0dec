import { checkBetween } from "../../internal/index.ts";
import { DAY } from "../../limits/core/index.ts";

/** The settings of an integrator. */
export type IntegratorSettings = {
  /** Utilization below which the amount falls: 0.01 to 0.99. */
  readonly lowWatermark: number;
  /**
   * Utilization above which the amount rises: from `lowWatermark` to 0.99. Between the two it
   * stays.
   */
  readonly highWatermark: number;
  /** Milliseconds of full utilization before anything is shed, after a quiet time: 0 to a day. */
  readonly grace: number;
  /** Milliseconds of full utilization from shedding nothing to shedding everything: 1 to a day. */
  readonly span: number;
  /**
   * The longest time that one reading counts for if the amount rises, in milliseconds: 1 to a day.
   * A falling amount has no such bound.
   */
  readonly gap: number;
};

/**
 * Computes from utilization how much to shed. It changes slowly both ways, so that it does not
 * oscillate.
 *
 * Above `highWatermark` the amount rises, faster the higher utilization is. Below `lowWatermark` it
 * falls, faster the lower utilization is. It falls below zero, so that a short peak sheds nothing.
 * (P. Tarjan, "Scaling your API with rate limiters", 2017: the worker utilization load shedder.)
 */
export class Integrator {
  readonly #settings: IntegratorSettings;
  #amount: number;
  #changed: number | undefined;

  /** @throws SpillwayError `bad-option` if a setting is invalid */
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

  /** The share to shed of the work that can be shed, from 0 to 1. */
  get amount(): number {
    return Math.max(0, this.#amount);
  }

  /**
   * Learns the utilization since the last call. Undefined counts as 0: the amount falls.
   *
   * @param now Milliseconds from any starting point. A rising amount counts at most `gap` of them.
   */
  update(utilization: number | undefined, now: number): void {
    const { grace, span, gap } = this.#settings;
    const since = Math.max(0, now - (this.#changed ?? now));
    this.#changed = now;
    // A signal that no longer works must not cause refusals forever.
    const tendency = this.#tendency(utilization ?? 0);
    const counted = tendency > 0 ? Math.min(since, gap) : since;
    const next = this.#amount + (counted * tendency) / span;
    this.#amount = Math.min(1, Math.max(-grace / span, next));
  }

  /** Returns the direction of the change: from -1 for no utilization to 1 for full utilization. */
  #tendency(utilization: number): number {
    const { lowWatermark, highWatermark } = this.#settings;
    if (utilization < lowWatermark) return utilization / lowWatermark - 1;
    if (utilization < highWatermark) return 0;
    return Math.min(1, (utilization - highWatermark) / (1 - highWatermark));
  }
}
