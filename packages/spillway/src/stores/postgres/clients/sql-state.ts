import { isObject } from "./library.ts";

/** Node's own codes may be as long, such as EPIPE, and Prisma's are, such as P2010. */
const SQL_STATE = /^(?!E|P[1-9])[0-9A-Z]{5}$/;

/** Under which names it is kept, Prisma's adapters' last. */
const CODES = ["code", "originalCode"];

/** Where libraries keep the error that they have wrapped, or what they know of it. */
const INSIDE = ["cause", "driverError", "meta", "driverAdapterError"];

/** How often one may be wrapped; some are their own cause. */
const DEEPEST = 6;

/** What Postgres calls an error: five characters such as `"40001"`, however wrapped. Pure. */
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

/** Classes of errors with which a server ends a connection, or which find a transaction on it. */
const LEAVING_NOTHING_USABLE = /^(?:08|25P|57P|XX)/;

/**
 * Whether a connection is of no use any more after an error. One that is not the server's leaves
 * that open, and so counts as if it were.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || LEAVING_NOTHING_USABLE.test(state);
}
