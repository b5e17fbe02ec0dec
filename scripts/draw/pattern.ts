/** The one pattern of asks that every kind is shown with, so that the pictures can be compared. */
import { SECOND } from "spillway";

/** Asks that belong together, and where their name stands. All times are milliseconds. */
export type Phase = {
  readonly name: string;
  /** The middle of the phase. */
  readonly middle: number;
  readonly asks: readonly number[];
};

/** What every picture's limit has in common. */
export const PACE = { rate: 5, period: 10 * SECOND } as const;

/** How long the pattern goes on. */
export const LENGTH = 50 * SECOND;

export const PATTERN: readonly Phase[] = [
  { name: "burst at rest", middle: 2000, asks: times(8, () => 2000) },
  { name: "calls above the rate", middle: 20_500, asks: times(19, (n) => 11_500 + n * SECOND) },
  { name: "pause", middle: 34_000, asks: [] },
  {
    name: "burst across a window's end",
    middle: 40_000,
    asks: times(12, (n) => (n < 6 ? 39_500 : 40_500)),
  },
];

function times(length: number, at: (n: number) => number): readonly number[] {
  return Array.from({ length }, (_, n) => at(n));
}
