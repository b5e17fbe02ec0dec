/** Limits by their names, and what is wrong with a name that is none. */
import {
  isConcurrency,
  type Limit,
  type Limits,
  nearest,
  SpillwayError,
} from "../limits/core/index.ts";

/** Names that a message lists. */
const SHOWN = 10;

type Naming = {
  /** Where the name stood. Default: `"limit"`. */
  readonly field?: string;
  /** What is to be done where no name is like it. */
  readonly hint?: string;
};

/** The error for a name that none of some limits has. */
export function unknownLimit(
  name: unknown,
  names: () => Iterable<string>,
  { field = "limit", hint }: Naming = {},
): SpillwayError {
  const near = typeof name === "string" ? nearest(name, names()) : undefined;
  const advice = near === undefined ? hint : `Did you mean "${near}"?`;
  return new SpillwayError({
    code: "unknown-limit",
    field,
    value: name,
    expected: oneOf(names()),
    ...(advice !== undefined && { hint: advice }),
  });
}

/** However many there are, some are listed: whoever asks may be a stranger. */
function oneOf(names: Iterable<string>): string {
  const listed: string[] = [];
  for (const name of names) if (listed.push(`"${name}"`) > SHOWN) break;
  if (listed.length === 0) return "a limit, of which none are defined";
  if (listed.length > SHOWN) listed[SHOWN] = "…";
  return `one of ${listed.join(", ")}`;
}

/** The limit of that name. @throws SpillwayError `unknown-limit` */
export function limitNamed(limits: Limits, name: unknown, naming?: Naming): Limit {
  if (typeof name === "string" && Object.hasOwn(limits, name)) return limits[name] as Limit;
  throw unknownLimit(name, () => Object.keys(limits), naming);
}

/** Whether units can be taken of a limit of that name. @throws SpillwayError `unknown-limit`, `wrong-kind` */
export function checkRateName(limits: Limits, field: string, name: unknown): void {
  if (!isConcurrency(limitNamed(limits, name, { field }))) return;
  const expected = "a rate, of which units are taken";
  throw new SpillwayError({ code: "wrong-kind", field, value: name, expected });
}
