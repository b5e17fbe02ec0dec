/** What is known of a library: how it takes statements, and what of it is a transaction. */
import { SpillwayError } from "../../../core/index.ts";
import type { Sending, Statement } from "./connection.ts";

/** Sends a statement. Answers as the library does: with rows, or with something that has them. */
export type Send = (statement: Statement) => PromiseLike<unknown>;

/**
 * How one library's transactions are joined: `undefined` for what is not of that library.
 *
 * Throws a SpillwayError `bad-transaction` for what is, but is no transaction.
 */
export type Join = (candidate: unknown, sending: Sending) => Send | undefined;

/** One driver's pool: each statement takes a connection for itself. */
export type Driver = {
  /** Looks whether a statement is late once it has a connection for it. */
  send(statement: Statement, late: () => boolean): Promise<unknown>;
  script(text: string): Promise<unknown>;
};

/** @param expected What to pass instead. */
export function notATransaction(value: unknown, expected: string, hint?: string): SpillwayError {
  const field = "transaction";
  return new SpillwayError({ code: "bad-transaction", field, value, expected, hint });
}

/** What a statement fails with that is not sent, for nobody waits for its answer any more. */
export function tooLate(): Error {
  return new Error("a connection was free too late");
}
