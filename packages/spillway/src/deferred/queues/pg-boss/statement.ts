import type { Statement } from "../../../stores/postgres/clients/index.ts";

/**
 * A statement of pg-boss as one whose parameters are all text, and whose answer is one: its rows as JSON. Pure.
 *
 * Libraries differ in what they take for a parameter and make of a row; text comes through all of them. The server
 * finds out the types of parameters. But a driver that asks it for them writes JSON, lists and truth values its own
 * way, and would encode ours again: these are text to the server too, and statements of pg-boss cast them.
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

/** With its schema: a stranger's type may be found before it. */
const TEXT = "pg_catalog.text";

/** What changes rows and counts them can't be a part of another statement. */
const COUNTING = /\bselect\s+count\(\*\)\s+from\s+(\w+)\s*$/i;

function answering(text: string): string {
  const row = "pg_catalog.json_build_object('count', pg_catalog.count(*))";
  if (COUNTING.test(text)) {
    return text.replace(COUNTING, `select pg_catalog.json_build_array(${row})::${TEXT} from $1`);
  }
  const rows = "coalesce(pg_catalog.json_agg(answer), '[]')";
  return `with answer as (${text}) select ${rows}::${TEXT} from answer`;
}

/** A list as Postgres reads it from text: ids and names, which JSON quotes as Postgres does. */
function listOf(values: readonly unknown[]): string {
  return `{${values.map((value) => JSON.stringify(value)).join(",")}}`;
}
