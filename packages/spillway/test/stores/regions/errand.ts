import type { Limit } from "../../../src/limits/core/index.ts";

/** What a process of a region is to do: ask of a limit over all regions. */
export type RegionErrand = {
  readonly here: string;
  /** Where it reaches the server of each region. */
  readonly ports: { readonly [region: string]: number };
  readonly limit: Limit;
  readonly hold: number;
  /** How many calls it has in flight, */
  readonly callers: number;
  /** and milliseconds between an answer and the next call. */
  readonly pauseMs: number;
};
