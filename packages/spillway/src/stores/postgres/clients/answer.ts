import { display } from "../../../core/index.ts";
import { isObject } from "./shape.ts";

/** The one text of an answer: of rows, or of what has rows; each an object or an array. Pure. */
export function onlyText(answer: unknown): string {
  const rows: unknown = isObject(answer) && "rows" in answer ? answer.rows : answer;
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const value: unknown = isObject(row) ? Object.values(row)[0] : undefined;
  if (typeof value === "string") return value;
  throw new Error(`the database answered with ${display(value)} where a text was expected`);
}
