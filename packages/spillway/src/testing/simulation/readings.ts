import type { Signal } from "../../shedding/index.ts";

/**
 * Returns a quantile of values by the nearest rank; undefined if there are none. `rank` is from 0
 * to 1. Pure.
 */
export function quantile(values: readonly number[], rank: number): number | undefined {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)];
}

/** The number of values in a moving mean. */
const MOVING = 5;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the mean of each 5 consecutive values, beginning with the first five. Pure. */
export function movingMeans(values: readonly number[]): number[] {
  const count = Math.max(0, values.length - MOVING + 1);
  return Array.from({ length: count }, (_, start) => mean(values.slice(start, start + MOVING)));
}

/** Two running totals. `busy` never grows faster than `possible`. */
export type Totals = { readonly busy: () => number; readonly possible: () => number };

/**
 * Returns a reader of `busy` divided by `possible`, since its last call or its creation. It returns
 * undefined if no time has passed.
 */
export function shareSinceAsked({ busy, possible }: Totals): Signal {
  let before = { busy: busy(), possible: possible() };
  return () => {
    const now = { busy: busy(), possible: possible() };
    const span = now.possible - before.possible;
    if (span <= 0) return undefined;
    const share = (now.busy - before.busy) / span;
    before = now;
    return share;
  };
}

/** Collects values for quantiles. Each reader gets the values since its own last call. */
export class Samples {
  readonly #windows: number[][] = [];

  add(value: number): void {
    for (const window of this.#windows) window.push(value);
  }

  /**
   * Returns a reader of a quantile of the values since its last call; undefined if there are none.
   *
   * @param rank From 0 to 1.
   */
  reader(rank: number): () => number | undefined {
    const window: number[] = [];
    this.#windows.push(window);
    return () => quantile(window.splice(0), rank);
  }
}
