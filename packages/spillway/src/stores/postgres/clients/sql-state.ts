import { isObject } from "./library.ts";

/** Matches an SQLSTATE, but not codes of Node, such as EPIPE, or of Prisma, such as P2010. */
const SQL_STATE = /^(?!E|P[1-9])[0-9A-Z]{5}$/;

/** The fields that may contain it. Prisma's adapters use the last one. */
const CODES = ["code", "originalCode"];

/** The fields in which libraries keep the error that they have wrapped, or what they know of it. */
const INSIDE = ["cause", "driverError", "meta", "driverAdapterError"];

/** The maximum number of levels of wrapping to search. Some errors are their own cause. */
const DEEPEST = 6;

/**
 * Returns the SQLSTATE of an error: five characters such as `"40001"`, also if the error is
 * wrapped. Pure.
 */
export function sqlState(error: unknown): string | undefined {
  return search(error, DEEPEST);
}

function search(error: unknown, depth: number): string | undefined {
  if (!isObject(error) || depth === 0) return undefined;
  const codes: unknown[] = CODES.map((name) => Reflect.get(error, name));
  for (const code of codes) if (typeof code === "string" && SQL_STATE.test(code)) return code;
  const inside: unknown[] = INSIDE.map((name) => Reflect.get(error, name));
  const all = error instanceof AggregateError ? [...inside, ...error.errors] : inside;
  for (const one of all) {
    const state = search(one, depth - 1);
    if (state !== undefined) return state;
  }
  return undefined;
}

/**
 * Classes of errors that end a connection, or report that its transaction is in the wrong state.
 */
const LEAVING_NOTHING_USABLE = /^(?:08|25P|57P|XX)/;

/**
 * Whether a connection can't be used any more after an error. Pure.
 *
 * True for an error without an SQLSTATE, because it does not show the state of the connection.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || LEAVING_NOTHING_USABLE.test(state);
}
