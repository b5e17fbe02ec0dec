import { type Problem, SpillwayError } from "../../core/index.ts";
import { sqlState } from "./clients/sql-state.ts";

/** No such schema, type, table or function. */
const NOT_INSTALLED = ["3F000", "42704", "42883", "42P01"];
/** The role lacks a right. */
const FORBIDDEN = "42501";
/** A statement before has failed, and with it the transaction. */
const ABORTED = "25P02";

const BAD_SCHEMA = {
  code: "bad-schema",
  field: "schema",
  expected: "a schema as this version of Spillway installs it",
  hint: "It is missing, or older than the program: run migrate(pool), or `spillway migrate`",
} as const;

const NO_RIGHTS = {
  code: "bad-schema",
  field: "schema",
  expected: "a role that may use it",
  hint: "Grant it usage of the schema, and select, insert, update and delete on its tables",
} as const;

const BAD_TRANSACTION = {
  code: "bad-transaction",
  field: "transaction",
  expected: "a transaction in which nothing has failed",
  hint: "Roll it back, to a savepoint from before the failure or as a whole",
} as const;

/** An error of the database: as it is, but where it means that the program has to do something else. */
export function explained(error: unknown): unknown {
  const state = sqlState(error) ?? "";
  if (state === ABORTED) return because(error, BAD_TRANSACTION);
  if (state === FORBIDDEN) return because(error, NO_RIGHTS);
  return NOT_INSTALLED.includes(state) ? because(error, BAD_SCHEMA) : error;
}

function because(cause: unknown, problem: Problem): SpillwayError {
  const value = (cause as Error).message;
  return Object.assign(new SpillwayError({ ...problem, value }), { cause });
}
