/** Processes that ask of a limit of which units are lent, and what they were admitted beyond its bound. */
import { Child } from "./child.ts";

export class LentAsker extends Child {
  /** The whole lines that it said: when each call that was admitted began and ended. */
  get admitted(): readonly (readonly [began: number, ended: number])[] {
    const lines = this.said.split("\n").slice(1, -1);
    return lines.map((line) => line.split(" ").map(Number) as [number, number]);
  }
}

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
