/** Processes that ask of a limit of which units are lent, and what they were admitted beyond its bound. */
import type { Limit } from "../../src/limits/core/index.ts";
import { beginTogether, Child } from "./child.ts";

/** What is asked of, unless a test says otherwise: half a second of it is in a full bucket, and held for nearly as long. */
export const LIMIT = {
  kind: "token bucket",
  rate: 400,
  period: 1000,
  capacity: 200,
  share: 400,
} as const satisfies Limit;

/** Asks from when it is told to begin until it is told to end. */
export class LentAsker extends Child {
  /** The whole lines that it said: when each call that was admitted began and ended. */
  get admitted(): readonly (readonly [began: number, ended: number])[] {
    const lines = this.said.split("\n").slice(1, -1);
    return lines.map((line) => line.split(" ").map(Number) as [number, number]);
  }
}

export type Four = readonly [LentAsker, LentAsker, LentAsker, LentAsker];

/** Four processes that begin together. */
export async function beginFour(program: URL, errand: object): Promise<Four> {
  const askers = [0, 1, 2, 3].map(() => new LentAsker(program, errand));
  await beginTogether(askers);
  return askers as unknown as Four;
}

/** Waits until so many units more were admitted, to all together. */
export async function admitMore(askers: readonly LentAsker[], units: number): Promise<void> {
  const enough = admittedBy(askers).length + units;
  const isEnough = () => admittedBy(askers).length >= enough;
  await Promise.race(askers.map((asker) => asker.until(isEnough)));
}

/** Waits until each was admitted something, and then until all have ended as they were told to. */
export async function endAll(askers: readonly LentAsker[]): Promise<void> {
  await Promise.all(askers.map((asker) => asker.until(() => asker.admitted.length > 0)));
  for (const asker of askers) asker.end();
  await Promise.all(askers.map((asker) => asker.done()));
}

/** The calls that were admitted, of all of them. */
export const admittedBy = (askers: readonly LentAsker[]) =>
  askers.flatMap(({ admitted }) => admitted);

/** The most that any span admitted beyond the bound, counted by the calls that lie wholly within it. */
export function excess(
  calls: readonly (readonly [number, number])[],
  { rate, period, capacity }: { rate: number; period: number; capacity: number },
): number {
  const first = Math.min(...calls.map(([began]) => began));
  const last = Math.max(...calls.map(([, ended]) => ended));
  let most = Number.NEGATIVE_INFINITY;
  for (let from = first; from <= last; from++) {
    const endedAt = new Float64Array(last - from + 1);
    for (const [began, ended] of calls)
      if (began >= from) endedAt[ended - from] = (endedAt[ended - from] as number) + 1;
    let count = 0;
    for (let to = from; to <= last; to++) {
      count += endedAt[to - from] as number;
      const bound = capacity + (rate * (to + 1 - from)) / period;
      most = Math.max(most, count - bound);
    }
  }
  return most;
}
