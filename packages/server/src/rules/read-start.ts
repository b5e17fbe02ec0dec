/** Reads `start`: the instant at which windows of a limit begin. */
import { isScalar, type Scalar } from "yaml";
import { describeNode } from "./describe-node.ts";
import { fieldValue, type RuleFields } from "./fields.ts";
import type { RuleSource } from "./source.ts";

/** The value of `start` that gives each key its own instant. */
export const PER_KEY = "per key";

/** An instant as text. A date without a time is midnight UTC; a time needs a zone. */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The part of the format that an editor can check. */
export const START_PATTERN = `${PER_KEY}|${INSTANT.source.slice(1, -1)}`;

/**
 * Reads the instant at which a window begins, in milliseconds since 1970. Default: 0, so that
 * windows are UTC minutes, hours and days.
 *
 * Undefined for `per key`, and for an invalid value, which is reported.
 */
export function readStart(source: RuleSource, fields: RuleFields): number | undefined {
  const node = fieldValue(fields, "start");
  if (node === undefined) return 0;
  const written = isScalar(node) ? writtenIn(node) : "";
  if (written === PER_KEY) return undefined;
  const instant = instantOf(written);
  if (instant !== undefined) return instant;
  source.complain(node, {
    code: "bad-start",
    found: describeNode(node),
    expected: `${PER_KEY}, or an instant such as "2026-01-05" or "2026-01-05T06:00:00+01:00"`,
    hint: /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(written) ? "Add the zone: Z for UTC" : undefined,
  });
  return undefined;
}

/** The text in the file. Some YAML readers convert it to a date. */
function writtenIn({ value, source }: Scalar): string {
  return typeof value === "string" ? value : (source ?? "");
}

/** Parses an instant; undefined if it is invalid, or a day that its month does not have. */
function instantOf(text: string): number | undefined {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined) return undefined;
  const [midnight, instant] = [Date.parse(day), Date.parse(text)];
  if (Number.isNaN(midnight) || Number.isNaN(instant)) return undefined;
  return new Date(midnight).toISOString().startsWith(day) ? instant : undefined;
}
