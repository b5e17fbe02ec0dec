/** Finds limits by name, and explains unknown names. */
import {
  isConcurrency,
  type Limit,
  type Limits,
  nearest,
  SpillwayError,
} from "../limits/core/index.ts";

/** The maximum number of names that a message lists. */
const SHOWN = 10;

type NameContext = {
  /** The field that contained the name. Default: `"limit"`. */
  readonly field?: string;
  /** The hint if no known name is similar. */
  readonly hint?: string;
};

/** Returns the error for the name of a group that no limit belongs to. */
export function unknownGroup(name: unknown, names: readonly string[]): SpillwayError {
  const near = typeof name === "string" ? nearest(name, names) : undefined;
  return new SpillwayError({
    code: "unknown-group",
    field: "group",
    value: name,
    expected: oneOf(names, "a group, but no limit has `groups`"),
    hint: near && `Did you mean "${near}"?`,
  });
}

/** Returns the error for a name that no limit has. */
export function unknownLimit(
  name: unknown,
  names: () => Iterable<string>,
  { field = "limit", hint }: NameContext = {},
): SpillwayError {
  const near = typeof name === "string" ? nearest(name, names()) : undefined;
  const advice = near === undefined ? hint : `Did you mean "${near}"?`;
  return new SpillwayError({
    code: "unknown-limit",
    field,
    value: name,
    expected: oneOf(names(), "a limit, but none is defined"),
    ...(advice !== undefined && { hint: advice }),
  });
}

/**
 * Lists only a few names, because the caller may be a client that should not receive all of them.
 */
function oneOf(names: Iterable<string>, none: string): string {
  const listed: string[] = [];
  for (const name of names) if (listed.push(`"${name}"`) > SHOWN) break;
  if (listed.length === 0) return none;
  if (listed.length > SHOWN) listed[SHOWN] = "…";
  return `one of ${listed.join(", ")}`;
}

/** Returns the limit with a name. @throws SpillwayError `unknown-limit` */
export function limitNamed(limits: Limits, name: unknown, naming?: NameContext): Limit {
  if (typeof name === "string" && Object.hasOwn(limits, name)) return limits[name] as Limit;
  throw unknownLimit(name, () => Object.keys(limits), naming);
}

/**
 * Checks that a name is that of a rate, from which units can be taken. @throws SpillwayError
 * `unknown-limit`, `wrong-kind`
 */
export function checkRateName(limits: Limits, field: string, name: unknown): void {
  if (!isConcurrency(limitNamed(limits, name, { field }))) return;
  const expected = "a rate limit, not a concurrency limit";
  throw new SpillwayError({ code: "wrong-kind", field, value: name, expected });
}
