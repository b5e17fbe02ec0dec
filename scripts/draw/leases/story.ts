/** Jobs under a concurrency limit, and how each of them ends. All times are milliseconds. */
import { type Concurrency, SECOND } from "spillway";

export const LIMIT = {
  kind: "concurrency",
  capacity: 3,
  ttl: 10 * SECOND,
} as const satisfies Concurrency;

/** One that asks for a lease: when, how long its work takes, and whether it lives to end it. */
export type Job = {
  readonly at: number;
  readonly work: number;
  /** How often it renews its lease. Default: never. */
  readonly renews?: number;
  readonly dies?: true;
};

export const JOBS: readonly Job[] = [
  { at: 2000, work: 7000 },
  { at: 4000, work: 40_000, renews: 4000 },
  { at: 6000, work: 3000, dies: true },
  { at: 7500, work: 5000 },
  { at: 10_000, work: 6000 },
  { at: 13_000, work: 5000 },
  { at: 16_500, work: 8000 },
  { at: 18_500, work: 8000 },
  { at: 21_000, work: 5000 },
  { at: 27_500, work: 4000, dies: true },
  { at: 29_000, work: 6000 },
  { at: 33_000, work: 5000 },
  { at: 38_000, work: 6000 },
  { at: 41_000, work: 5500 },
  { at: 43_000, work: 5000 },
];
