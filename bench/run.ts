/** Runs contestants in turn, round after round, so that a machine's moods meet all of them alike. */

/** One row that is measured again and again. */
export type Contestant = {
  readonly name: string;
  /** Measures once. */
  measure(): Promise<number>;
};

/** How often, and whom to tell. */
export type Rounds = {
  readonly title: string;
  /** Rounds that count; one more goes first to warm up. */
  readonly rounds: number;
  readonly progress: (line: string) => void;
};

/** The median of each contestant's rounds, by name. */
export async function interleave(
  contestants: readonly Contestant[],
  { title, rounds, progress }: Rounds,
): Promise<ReadonlyMap<string, number>> {
  const values = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    const shown: string[] = [];
    for (const { name, measure } of contestants) {
      const value = await measure();
      shown.push(`${name} ${value.toPrecision(3)}`);
      if (round > 0) values.get(name)?.push(value);
    }
    const which = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
    progress(`${title}, ${which}: ${shown.join(", ")}`);
  }
  return new Map([...values].map(([name, all]) => [name, median(all)]));
}

/** The middle of numbers; of the two middle ones, their mean. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}
