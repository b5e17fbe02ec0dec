/** A quantity over time: requests a second, or the factor by which something takes longer. */
export type Curve = {
  /** What it never exceeds; the closer, the faster it is simulated. */
  readonly most: number;
  /** Its value, milliseconds after the simulation began. */
  at(ms: number): number;
};

/** Always the same. */
export const constant = (value: number): Curve => ({ most: value, at: () => value });

/** One value until an instant, another from then on. */
export function step({ from, to, at }: { from: number; to: number; at: number }): Curve {
  return { most: Math.max(from, to), at: (ms) => (ms < at ? from : to) };
}

/** A base, and a peak from an instant on for some milliseconds. */
export function spike(options: { base: number; peak: number; at: number; lasting: number }): Curve {
  const { base, peak, at, lasting } = options;
  return {
    most: Math.max(base, peak),
    at: (ms) => (ms >= at && ms < at + lasting ? peak : base),
  };
}

/** One value until `start`, another from `end` on, and a straight line between the two. */
export function ramp(options: { from: number; to: number; start: number; end: number }): Curve {
  const { from, to, start, end } = options;
  const part = (ms: number) => Math.min(1, Math.max(0, (ms - start) / (end - start)));
  return { most: Math.max(from, to), at: (ms) => from + (to - from) * part(ms) };
}

/** All together. */
export function sum(curves: readonly Curve[]): Curve {
  const total = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return {
    most: total(curves.map(({ most }) => most)),
    at: (ms) => total(curves.map((curve) => curve.at(ms))),
  };
}

/** A curve so many times as high. */
export function scaled(curve: Curve, { by }: { by: number }): Curve {
  return { most: curve.most * by, at: (ms) => curve.at(ms) * by };
}
