/** Runs contestants in turn, round after round, so that a machine's moods meet all of them alike. */

/** What is measured at once, by name. */
export type Figures = Readonly<Record<string, number>>;

/** One row, or several of one subject, measured again and again. */
export type Contestant<F extends Figures> = {
  readonly name: string;
  /** Measures once. */
  measure(): Promise<F>;
};

/** What is in the middle of each contestant's rounds, by its name. */
export type Medians<F> = ReadonlyMap<string, F>;

/** How often, and what receives the progress. */
export type Rounds = {
  readonly title: string;
  /** Rounds that count; one more goes first to warm up. */
  readonly rounds: number;
  readonly progress: (line: string) => void;
};

/** The median of each of the contestants' figures. */
export async function interleave<F extends Figures>(
  contestants: readonly Contestant<F>[],
  { title, rounds, progress }: Rounds,
): Promise<Medians<F>> {
  const measured = new Map(contestants.map(({ name }) => [name, [] as F[]]));
  for (let round = 0; round <= rounds; round++) {
    const shown: string[] = [];
    for (const { name, measure } of contestants) {
      const figures = await measure();
      shown.push(`${name} ${textOf(figures)}`);
      if (round > 0) measured.get(name)?.push(figures);
    }
    const which = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
    progress(`${title}, ${which}: ${shown.join(", ")}`);
  }
  return new Map([...measured].map(([name, all]) => [name, medians(all)]));
}

function textOf(figures: Figures): string {
  return Object.values(figures)
    .map((value) => value.toPrecision(3))
    .join(" / ");
}

/** Each figure's median: those of one contestant need not be of one round. */
function medians<F extends Figures>(all: readonly F[]): F {
  const names = Object.keys(all[0] ?? {});
  const middleOf = (name: string) => median(all.map((each) => each[name] as number));
  return Object.fromEntries(names.map((name) => [name, middleOf(name)] as const)) as F;
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

/** The least of some numbers that such a part of them does not exceed: 0.99 for 99 %. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
