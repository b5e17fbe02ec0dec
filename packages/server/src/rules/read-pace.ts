/** How a limit counts and in what time: `kind`, and `unit` or `period`. */
import type { Rate } from "spillway";
import { type Duration, milliseconds, RATE_KINDS, type RateKind } from "spillway/core";
import { isScalar } from "yaml";
import { describeNode } from "./describe-node.ts";
import { didYouMean, type Field, type Fields, fieldValue } from "./fields.ts";
import type { Source } from "./source.ts";
import { UNITS } from "./units.ts";

/** Rules count what is asked; nothing reports to them when work is over, as a concurrency limit needs it. */
const KINDS = Object.keys(RATE_KINDS) as RateKind[];
const PERIOD = 'a text such as "90s", "15m", "12h" or "30d", from 1ms to 366d';

/** The kind, by default a fixed window; undefined where, after a complaint, it is none. */
export function readKind(source: Source, fields: Fields): Rate["kind"] | undefined {
  const node = fieldValue(fields, "kind");
  if (node === undefined) return "fixed window";
  const written = isScalar(node) ? String(node.value) : "";
  const kind = KINDS.find((known) => known === written);
  if (kind !== undefined) return kind;
  source.complain(node, {
    code: "bad-kind",
    found: describeNode(node),
    expected: `one of ${KINDS.join(", ")}`,
    hint: didYouMean(written, KINDS),
  });
  return undefined;
}

/** The period by which a limit counts; undefined where, after a complaint, there is none. */
export function readPeriod(source: Source, fields: Fields, limit: Field): Duration | undefined {
  const node = fieldValue(fields, "period");
  if (node === undefined) return readUnit(source, fields, limit);
  if (fieldValue(fields, "unit") !== undefined) {
    const expected = "either unit or period";
    const place = fields.get("period")?.name ?? null;
    source.complain(place, { code: "unit-and-period", found: "both", expected });
    return undefined;
  }
  const period = isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  if (milliseconds(period) !== undefined) return period as Duration;
  source.complain(node, { code: "bad-period", found: describeNode(node), expected: PERIOD });
  return undefined;
}

function readUnit(source: Source, fields: Fields, limit: Field): number | undefined {
  const node = fieldValue(fields, "unit");
  const written = isScalar(node) ? String(node.value) : "";
  const ms = UNITS.get(written.toLowerCase());
  if (ms !== undefined) return ms;
  source.complain(node ?? limit.name, {
    code: "bad-unit",
    found: node === undefined ? "no unit" : describeNode(node),
    expected: `one of ${[...UNITS.keys()].join(", ")}`,
    hint: didYouMean(written, UNITS.keys()) ?? 'For other lengths write period: "90s"',
  });
  return undefined;
}
