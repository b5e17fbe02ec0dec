/**
 * What is known of a library without importing it: what it is recognized by, how it takes statements, how
 * it answers, and what of it is a transaction.
 */
import { display, SpillwayError } from "../../../limits/core/index.ts";
import type { SendOptions, Statement } from "./connection.ts";

/** Sends a statement. Answers as the library does: with rows, or with something that has them. */
export type SendStatement = (statement: Statement) => PromiseLike<unknown>;

/** How statements are sent in a transaction. */
export type TransactionSender = {
  readonly send: SendStatement;
  /**
   * Whether what is sent arrives nowhere but with whoever has begun the transaction. Where the library does not
   * know of its end it is false: somebody else may have the connection by then.
   */
  isBound(): boolean;
};

/**
 * Adapts the transactions of one library: returns how statements are sent in them, `undefined` for what
 * is not of that library.
 *
 * Throws a SpillwayError `bad-transaction` for what is, but is no transaction.
 */
export type TransactionAdapter = (
  candidate: unknown,
  sending: SendOptions,
) => TransactionSender | undefined;

/** With a library that sends nothing for a transaction that is over. */
export function checkedSender(send: SendStatement): TransactionSender {
  return { send, isBound: () => true };
}

/** With a library that sends what it is given, to whomever. */
export function uncheckedSender(send: SendStatement): TransactionSender {
  return { send, isBound: () => false };
}

/** @param expected What to pass instead. */
export function notATransaction(value: unknown, expected: string, hint?: string): SpillwayError {
  const field = "transaction";
  const problem = { field, value, isPrivate: true, expected, hint };
  return new SpillwayError({ code: "bad-transaction", ...problem });
}

/** What a statement fails with that is not sent, for nobody waits for its answer any more. */
export function tooLate(): Error {
  return new Error("a connection was free too late");
}

/** Whether something has all these methods. What has the names is taken to have the types too. */
export function has<T>(value: unknown, ...methods: readonly (keyof T)[]): value is T {
  return isObject(value) && methods.every((name) => typeof Reflect.get(value, name) === "function");
}

/** Whether something can have fields. Functions can: postgres.js and Knex hand out some. */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** The one text of an answer: of rows, or of what has rows; each an object or an array. Pure. */
export function onlyText(answer: unknown): string {
  const rows: unknown = isObject(answer) && "rows" in answer ? answer.rows : answer;
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const value: unknown = isObject(row) ? Object.values(row)[0] : undefined;
  if (typeof value === "string") return value;
  throw new Error(`the database answered with ${display(value)} where a text was expected`);
}
