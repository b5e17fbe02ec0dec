import type { Statement } from "../../../stores/postgres/clients/index.ts";

/**
 * Converts a statement of pg-boss: all parameters become text, and its rows one text of JSON. Pure.
 *
 * Libraries differ in the parameters that they accept and the rows that they return. Text passes
 * through all of them, and the server infers the types of parameters. But a driver that asks the
 * server for these types encodes JSON, lists and booleans itself, and would encode ours a second
 * time. So these are sent as text to the server too, and the statements of pg-boss cast them.
 */
export function textStatement(text: string, values: readonly unknown[]): Statement {
  const sent: string[] = [];
  const places = values.map((value) => {
    if (value === undefined || value === null) return "null";
    if (typeof value === "string" || typeof value === "number") return `$${sent.push(`${value}`)}`;
    return `$${sent.push(Array.isArray(value) ? listOf(value) : JSON.stringify(value))}::${TEXT}`;
  });
  const whole = answering(text.replace(/\$(\d+)/g, (_, number) => `${places[Number(number) - 1]}`));
  return { name: whole, text: whole, values: sent };
}

/** With its schema, because the search path may contain another type of this name first. */
const TEXT = "pg_catalog.text";

/** A statement that changes rows and counts them can't be part of another statement. */
const COUNTING = /\bselect\s+count\(\*\)\s+from\s+(\w+)\s*$/i;

function answering(text: string): string {
  const row = "pg_catalog.json_build_object('count', pg_catalog.count(*))";
  if (COUNTING.test(text)) {
    return text.replace(COUNTING, `select pg_catalog.json_build_array(${row})::${TEXT} from $1`);
  }
  const rows = "coalesce(pg_catalog.json_agg(answer), '[]')";
  return `with answer as (${text}) select ${rows}::${TEXT} from answer`;
}

/**
 * Writes a list as Postgres reads it from text. Only for ids and names, which JSON quotes as
 * Postgres does.
 */
function listOf(values: readonly unknown[]): string {
  return `{${values.map((value) => JSON.stringify(value)).join(",")}}`;
}
