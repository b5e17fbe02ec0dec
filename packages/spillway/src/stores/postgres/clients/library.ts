/**
 * Common parts of the adapters of transactions, one adapter for each library. No library is
 * imported.
 *
 * An adapter recognizes the objects of its library, sends statements over them, and refuses objects
 * that are no transaction.
 */
import { display, SpillwayError } from "../../../limits/core/index.ts";
import type { SendOptions, Statement } from "./connection.ts";

/** Sends a statement. Returns what the library returns: rows, or an object with rows. */
export type SendStatement = (statement: Statement) => PromiseLike<unknown>;

/** Sends statements in a transaction. */
export type TransactionSender = {
  readonly send: SendStatement;
  /**
   * Whether statements can reach only the user of this transaction. False if the library does not
   * know whether it has ended: the connection may have another user by then.
   */
  isBound(): boolean;
};

/**
 * Adapts a transaction of one library, for sending statements in it. Returns `undefined` for
 * objects of other libraries.
 *
 * Throws a SpillwayError `bad-transaction` for objects of this library that are no transaction.
 */
export type TransactionAdapter = (
  candidate: unknown,
  sending: SendOptions,
) => TransactionSender | undefined;

/** Wraps a sender of a library that sends nothing after a transaction has ended. */
export function checkedSender(send: SendStatement): TransactionSender {
  return { send, isBound: () => true };
}

/** Wraps a sender of a library that does not check whether the transaction is still open. */
export function uncheckedSender(send: SendStatement): TransactionSender {
  return { send, isBound: () => false };
}

/** @param expected The value to pass instead. */
export function notATransaction(value: unknown, expected: string, hint?: string): SpillwayError {
  const field = "transaction";
  const problem = { field, value, isPrivate: true, expected, hint };
  return new SpillwayError({ code: "bad-transaction", ...problem });
}

/** Returns the error of a statement that was not sent, because its caller no longer waits. */
export function tooLate(): Error {
  return new Error("no connection was free in time");
}

/** Whether a value has all these methods. Their types are not checked. */
export function has<T>(value: unknown, ...methods: readonly (keyof T)[]): value is T {
  return isObject(value) && methods.every((name) => typeof Reflect.get(value, name) === "function");
}

/**
 * Whether a value can have fields. Functions can too: some objects of postgres.js and Knex are
 * functions.
 */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * Returns the only text of an answer. The answer is rows, or an object with rows; each row is an
 * object or array. Pure.
 */
export function onlyText(answer: unknown): string {
  const rows: unknown = isObject(answer) && "rows" in answer ? answer.rows : answer;
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const value: unknown = isObject(row) ? Object.values(row)[0] : undefined;
  if (typeof value === "string") return value;
  throw new Error(`the database returned ${display(value)}, expected a text`);
}
