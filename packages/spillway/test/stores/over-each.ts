import { runs } from "../runs.ts";

/** Pairs of kinds that alternate. They are long, and about what the port computes: no driver or client has a part in that. */
const PAIRS = /take turns within both bounds/;
/** Two definitions that alternate for thousands of calls, many of them at once. */
const DEPLOYS = /admits in a deploy/;
/** What the port computes from one state, by the same statements over each driver. */
const COMPUTED = /^(?:answers as worked out|concurrency: |definitions: |overrides: |penalties: )/;

type Named = { readonly name: string };
/** One of several drivers, or of several settings of a port. */
type Part = { readonly part: number; readonly parts: number };

/**
 * The cases for one of several drivers. All of them for the first; of what the port computes the others have their own
 * part, and of pairs none. Long runs make all over each.
 */
export function overEach<C extends Named>(
  cases: readonly C[],
  { part, parts }: Part,
): readonly C[] {
  if (part === 0 || runs(1) > 1) return cases;
  const own = { part: part - 1, parts: parts - 1 };
  const left = [...of(PAIRS, cases), ...others(of(COMPUTED, cases), own)];
  return cases.filter((one) => !left.includes(one));
}

/**
 * The cases for one of several settings of a port, among which pairs and deploys are divided. Long runs make all in each.
 *
 * Pairs are divided by the diagonals of their table, so that each setting has every kind, first and second.
 */
export function dividedOver<C extends Named>(cases: readonly C[], own: Part): readonly C[] {
  if (runs(1) > 1) return cases;
  const pairs = of(PAIRS, cases);
  const left = [...others(pairs, own, Math.sqrt(pairs.length)), ...others(of(DEPLOYS, cases), own)];
  return cases.filter((one) => !left.includes(one));
}

function of<C extends Named>(pattern: RegExp, cases: readonly C[]): readonly C[] {
  return cases.filter(({ name }) => pattern.test(name));
}

/** Those of other parts. A table of several rows is divided by its diagonals. */
function others<C>(
  cases: readonly C[],
  { part, parts }: Part,
  columns = cases.length,
): readonly C[] {
  const diagonal = (at: number) => Math.floor(at / columns) + (at % columns);
  return cases.filter((_, at) => diagonal(at) % parts !== part);
}
