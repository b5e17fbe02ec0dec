/** Reads `penalty`: when a limit blocks keys that it refuses again and again. */
import { type Duration, milliseconds } from "spillway/core";
import { PENALTY_SHAPE } from "./field-table.ts";
import { fieldValue, type RuleField, type RuleFields, readFields } from "./fields.ts";
import { readDuration } from "./read-pace.ts";
import { readUnits } from "./scalars.ts";
import type { RuleSource } from "./source.ts";

const AFTER = {
  name: "after",
  code: "bad-penalty",
  otherwise: undefined,
  least: 1,
  most: 1_000_000,
  ifMore: "Without penalty, no number of refusals blocks a key",
} as const;

/** Reads a penalty; undefined if there is none, or if it is invalid, which is reported. */
export function readPenalty(source: RuleSource, fields: RuleFields): object | undefined {
  const field = fields.get("penalty");
  if (field === undefined || fieldValue(fields, "penalty") === undefined) return undefined;
  const inner = readFields(source, field.value, PENALTY_SHAPE);
  if (inner === undefined) return undefined;
  for (const name of Object.keys(PENALTY_SHAPE.fields))
    checkPresent(source, inner, { field, name });
  const after = readUnits(source, inner, AFTER);
  const time = (name: string) => readDuration(source, inner, { name, code: "bad-penalty" });
  const [within, block, most] = [time("within"), time("block"), time("most")];
  if (after === undefined || within === undefined || block === undefined || most === undefined)
    return undefined;
  if (isShorter(most, block)) {
    const expected = "a longest block that is at least as long as the first one";
    const found = `most ${most} beside block ${block}`;
    source.complain(inner.get("most")?.name ?? null, { code: "bad-penalty", found, expected });
    return undefined;
  }
  return Object.freeze({ after, within, block, most });
}

function isShorter(one: Duration, other: Duration): boolean {
  return (milliseconds(one) as number) < (milliseconds(other) as number);
}

function checkPresent(
  source: RuleSource,
  inner: RuleFields,
  { field, name }: { readonly field: RuleField; readonly name: string },
): void {
  if (fieldValue(inner, name) !== undefined) return;
  const expected = "a penalty such as { after: 10, within: 5m, block: 1m, most: 1h }";
  const found = `no ${name}`;
  source.complain(inner.get(name)?.name ?? field.name, { code: "bad-penalty", found, expected });
}
