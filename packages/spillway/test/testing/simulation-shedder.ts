/** The least of a shedder, and the load it stands before. */
import type { Admission, Outcome, Shedder, Work } from "../../src/shedding/index.ts";
import { constant, exponential, type Traffic } from "../../src/testing/simulation/index.ts";

export type Decide = (work: Work, inFlight: number) => boolean;

/** A shedder that decides by how many it has admitted which aren't done, and tells of each call. */
export function shedderOf(
  decide: Decide,
  { retryAfter = 0, note = (_: string) => {} } = {},
): Pick<Shedder, "admit"> {
  let inFlight = 0;
  const admit = (work: Work = {}): Admission => {
    const ok = decide(work, inFlight);
    if (ok) inFlight++;
    const done = (outcome?: Outcome) => {
      if (ok) inFlight--;
      note(`done ${outcome}`);
    };
    return {
      ok,
      limit: "test",
      capacity: 1,
      remaining: 0,
      retryAfter: ok ? 0 : retryAfter,
      resetAfter: 0,
      reason: ok ? undefined : "shed",
      degraded: undefined,
      priority: work.priority ?? "normal",
      done,
      [Symbol.dispose]: done,
    };
  };
  return { admit };
}

/** The process can do 100 a second of this. */
export const cpu = exponential(10);
export const offered = (perSecond: number): Traffic[] => [{ rate: constant(perSecond), cpu }];
