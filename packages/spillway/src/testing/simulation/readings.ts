import type { Signal } from "../../shedding/index.ts";

/** The value that a part `rank` (0 to 1) of the values doesn't exceed: nearest rank. Pure. */
export function quantile(values: readonly number[], rank: number): number | undefined {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)];
}

/** How many values a moving mean is taken over. */
const MOVING = 5;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The means of each 5 values in a row, from the first five on. Pure. */
export function movingMeans(values: readonly number[]): number[] {
  const count = Math.max(0, values.length - MOVING + 1);
  return Array.from({ length: count }, (_, start) => mean(values.slice(start, start + MOVING)));
}

/** Two running totals, of which the one can't grow faster than the other. */
export type Totals = { readonly busy: () => number; readonly possible: () => number };

/** Returns which share of what was possible was busy since last asked, or since it was made. */
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

/** Values of which quantiles are asked now and then, each by someone who then starts anew. */
export class Samples {
  readonly #windows: number[][] = [];

  add(value: number): void {
    for (const window of this.#windows) window.push(value);
  }

  /** Returns a quantile (0 to 1) of what was added since last asked; undefined if nothing was. */
  reader(rank: number): () => number | undefined {
    const window: number[] = [];
    this.#windows.push(window);
    return () => quantile(window.splice(0), rank);
  }
}
