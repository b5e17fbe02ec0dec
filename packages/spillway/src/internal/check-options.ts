import { isThenable, nearest, type Problem, SpillwayError } from "../limits/core/index.ts";

const SHORTEST_SECRET = 16;

/**
 * Checks the names of options. Pure.
 *
 * @param of The thing that the options create, for the message.
 * @param elsewhere A hint for each name that is unknown here and belongs elsewhere.
 * @throws SpillwayError `bad-option` if the value can't be options; `unknown-field` for an unknown
 * name.
 */
export function checkOptions(
  of: string,
  options: object,
  known: readonly string[],
  elsewhere: ReadonlyMap<string, string> = new Map(),
): void {
  if (!isOptions(options, known)) {
    throw new SpillwayError({ code: "bad-option", ...notOptions(options, `the options of ${of}`) });
  }
  for (const field of Object.keys(options)) {
    if (known.includes(field)) continue;
    const near = nearest(field, known);
    throw new SpillwayError({
      code: "unknown-field",
      field,
      expected: `the options of ${of} are ${known.join(", ")}`,
      hint: elsewhere.get(field) ?? (near && `Did you mean ${near}?`),
    });
  }
}

/**
 * Whether a value can be options: a plain object, or an object with at least one of the names.
 * Pure.
 *
 * A promise, a map, a list or a date has none of the names, and does not pass for empty options.
 */
export function isOptions(value: unknown, known: Iterable<string>): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (isPlain(value)) return true;
  for (const name of known) if (name in value) return true;
  return false;
}

/** Describes a value that can't be options, for an error. Pure. */
export function notOptions(value: unknown, what: string): Omit<Problem, "code"> {
  const hint = isThenable(value) ? "It is a promise: is an `await` missing?" : undefined;
  return { field: "options", value, isPrivate: true, expected: `${what}, a plain object`, hint };
}

/** Whether an object was created by `{}`, in this realm or another, or has no prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf")
  );
}

/**
 * Checks an option that is a whole number, at least 1 by default. @throws SpillwayError
 * `bad-option`
 */
export function checkWhole(
  field: string,
  value: unknown,
  { least = 1, most }: { readonly least?: number; readonly most: number },
): asserts value is number {
  if (!isWhole(value, { least, most }))
    throw badOption(field, value, `a whole number from ${least} to ${most}`);
}

/** Checks an option that is a number within bounds. @throws SpillwayError `bad-option` */
export function checkBetween(
  field: string,
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw badOption(field, value, `a number from ${least} to ${most}`);
}

/** Checks an option that is a finite number above 0. @throws SpillwayError `bad-option` */
export function checkPositive(field: string, value: unknown): void {
  if (Number.isFinite(value) && (value as number) > 0) return;
  throw badOption(field, value, "a number above 0");
}

/** Whether a value is a whole number within bounds. Pure. */
export function isWhole(
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** Checks an option that is true or false. @throws SpillwayError `bad-option` */
export function checkFlag(field: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean") throw badOption(field, value, "true or false");
}

/** Checks an option that is a function or undefined. @throws SpillwayError `bad-option` */
export function checkFunction(field: string, value: unknown, expected?: string): void {
  if (value !== undefined) requireFunction(field, value, expected);
}

/** Checks an option that must be a function. @throws SpillwayError `bad-option` */
export function requireFunction(field: string, value: unknown, expected = "a function"): void {
  if (typeof value !== "function") throw badOption(field, value, expected);
}

/** Checks an object of other code by one of its methods. @throws SpillwayError `bad-option` */
export function checkMethod(
  field: string,
  value: unknown,
  { method, expected }: { readonly method: string; readonly expected: string },
): void {
  const found = (value as { readonly [name: string]: unknown } | null | undefined)?.[method];
  if (typeof found !== "function") throw badObject(field, value, expected);
}

type More = Pick<Problem, "hint" | "isPrivate">;

/**
 * Returns the error for an invalid option whose value must not be shown.
 *
 * The value may be a foreign object, or contain a secret.
 */
export function badObject(field: string, value: unknown, expected: string, more: More = {}) {
  return badOption(field, value, expected, { ...more, isPrivate: true });
}

/** Returns the error for an invalid option. */
export function badOption(field: string, value: unknown, expected: string, more: More = {}) {
  return new SpillwayError({ code: "bad-option", field, value, expected, ...more });
}

/** Checks a secret, which is in no message. @throws SpillwayError `bad-option` */
export function checkSecret(field: string, secret: unknown, where = ""): void {
  if (typeof secret === "string" && secret.length >= SHORTEST_SECRET) return;
  const hint = "`openssl rand -hex 32` makes one; keep it with the other secrets";
  const expected = `a text of at least ${SHORTEST_SECRET} characters${where}`;
  throw badObject(field, secret, expected, { hint });
}
