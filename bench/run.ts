/** Runs contestants in turn, round after round, so that a machine's moods meet all of them alike. */

/** What is measured at once, by name. */
export type Figures = Readonly<Record<string, number>>;

/** One row, or several of one subject, measured again and again. */
export type Contestant<F extends Figures> = {
  readonly name: string;
  /** Measures once. */
  measure(): Promise<F>;
};

/** The figures of each contestant's rounds, by its name. */
export type Rounds<F extends Figures> = ReadonlyMap<string, readonly F[]>;

/** How often, and what receives the progress. */
export type Settings = {
  readonly title: string;
  /** Rounds that count; one more goes first to warm up. */
  readonly rounds: number;
  readonly progress: (line: string) => void;
  /** False for contestants that warm up themselves. */
  readonly warmsUp?: boolean;
};

/** What each contestant measured in each of the rounds. */
export async function interleave<F extends Figures>(
  contestants: readonly Contestant<F>[],
  { title, rounds, progress, warmsUp = true }: Settings,
): Promise<Rounds<F>> {
  const measured = new Map(contestants.map(({ name }) => [name, [] as F[]]));
  for (let round = warmsUp ? 0 : 1; round <= rounds; round++) {
    const shown: string[] = [];
    for (const { name, measure } of contestants) {
      const figures = await measure();
      shown.push(`${name} ${textOf(figures)}`);
      if (round > 0) measured.get(name)?.push(figures);
    }
    const which = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
    progress(`${title}, ${which}: ${shown.join(", ")}`);
  }
  return measured;
}

function textOf(figures: Figures): string {
  return Object.values(figures)
    .map((value) => value.toPrecision(3))
    .join(" / ");
}
