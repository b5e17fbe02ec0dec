/** A quantity over time: requests a second, or a factor by which something takes longer. */
export type Curve = {
  /** An upper bound of the values. The tighter it is, the faster the simulation runs. */
  readonly most: number;
  /** Returns the value at some milliseconds after the simulation began. */
  at(ms: number): number;
};

/** Returns a curve that always has the same value. */
export const constant = (value: number): Curve => ({ most: value, at: () => value });

/** Returns a curve that has `from` before the instant `at`, and `to` from then on. */
export function step({ from, to, at }: { from: number; to: number; at: number }): Curve {
  return { most: Math.max(from, to), at: (ms) => (ms < at ? from : to) };
}

/**
 * Returns a curve that has `base`, except `peak` for `lasting` milliseconds from the instant `at`
 * on.
 */
export function spike(options: { base: number; peak: number; at: number; lasting: number }): Curve {
  const { base, peak, at, lasting } = options;
  return {
    most: Math.max(base, peak),
    at: (ms) => (ms >= at && ms < at + lasting ? peak : base),
  };
}

/**
 * Returns a curve that has `from` until `start`, `to` after `end`, and a straight line in between.
 */
export function ramp(options: { from: number; to: number; start: number; end: number }): Curve {
  const { from, to, start, end } = options;
  const part = (ms: number) => Math.min(1, Math.max(0, (ms - start) / (end - start)));
  return { most: Math.max(from, to), at: (ms) => from + (to - from) * part(ms) };
}

/** Returns the sum of several curves. */
export function sum(curves: readonly Curve[]): Curve {
  const total = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return {
    most: total(curves.map(({ most }) => most)),
    at: (ms) => total(curves.map((curve) => curve.at(ms))),
  };
}

/** Returns a curve multiplied by a factor. */
export function scaled(curve: Curve, { by }: { by: number }): Curve {
  return { most: curve.most * by, at: (ms) => curve.at(ms) * by };
}
