import { type Problem, SpillwayError, shownReason } from "../../limits/core/index.ts";
import { sqlState } from "./clients/index.ts";

/** A schema, type, table or function is missing. */
const NOT_INSTALLED = ["3F000", "42704", "42883", "42P01"];
/** The role lacks a privilege. */
const FORBIDDEN = "42501";
/** An earlier statement has failed, and the transaction with it. */
const ABORTED = "25P02";

/**
 * Returns a SpillwayError if the program or its setup must change, otherwise the error unchanged.
 * Pure.
 */
export function explained(error: unknown, schema: string): unknown {
  const problem = problemOf(sqlState(error) ?? "", schema, shownReason(error));
  if (problem === undefined) return error;
  return new SpillwayError({ ...problem, cause: error });
}

function problemOf(state: string, schema: string, said: string): Problem | undefined {
  if (NOT_INSTALLED.includes(state)) {
    const isUsual = schema === "spillway";
    const call = isUsual ? "migrate(pool)" : `migrate(pool, { schema: "${schema}" })`;
    const option = isUsual ? "" : ` --schema ${schema}`;
    return {
      code: "bad-schema",
      field: "schema",
      value: schema,
      expected: `one as this version of Spillway installs it (${said})`,
      hint:
        `It is missing, or older than the program: run ${call}, ` +
        `or \`spillway migrate${option}\``,
    };
  }
  if (state === FORBIDDEN) {
    return {
      code: "no-rights",
      expected: `the role may not use the schema ${schema} (${said})`,
      hint:
        "Grant it usage of the schema, select, insert, update and delete on its tables " +
        "budgets, entries and exceptions, and execute on its functions",
    };
  }
  if (state !== ABORTED) return undefined;
  return {
    code: "bad-transaction",
    expected: `an earlier statement failed, which aborted the transaction (${said})`,
    hint: "Roll it back, to a savepoint from before the failure or as a whole",
  };
}
