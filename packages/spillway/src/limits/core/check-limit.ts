/** Checks definitions of limits, and explains mistakes. */
import { penaltyOf } from "./check-penalty.ts";
import { SpillwayError } from "./errors.ts";
import {
  checkField,
  type FieldCheck,
  LEASE_CHECKS,
  MODE_CHECK,
  POLICY_CHECK,
  RATE_CHECKS,
  type UncheckedLimit,
} from "./field-checks.ts";
import { RATE_KINDS, type RateKind } from "./kinds.ts";
import type { Limit } from "./limit.ts";
import { nearest } from "./suggest.ts";

/** The fields that every kind has. */
const FIELDS = ["kind", "whenUnavailable", "mode", "groups"];

/** Other libraries' names for the fields of a rate. */
const RATE_WORDS = /* @__PURE__ */ meanings({
  rate: "limit max points tokens requests",
  period: "interval window windowMs duration ttl",
  capacity: "burst size",
  kind: "algorithm type",
});

/** Other libraries' names for the fields of a concurrency limit. */
const LEASE_WORDS = /* @__PURE__ */ meanings({
  capacity: "limit max maxConcurrent concurrency permits rate size",
  ttl: "period timeout expires duration",
  kind: "algorithm type",
});

/** Returns each name with the field that it means. */
function meanings(words: { readonly [field: string]: string }): ReadonlyMap<string, string> {
  const all = Object.entries(words);
  return new Map(all.flatMap(([field, list]) => list.split(" ").map((word) => [word, field])));
}

/** The fields of a limit of one kind in addition to `FIELDS`. */
type LimitForm = {
  readonly fields: readonly string[];
  /** Other libraries' names for them. */
  readonly words: ReadonlyMap<string, string>;
  readonly checks: readonly FieldCheck[];
};

const FORMS = /* @__PURE__ */ formsByKind();

function formsByKind(): { readonly [kind: string]: LimitForm } {
  const ofRates = Object.keys(RATE_KINDS).map((kind) => [
    kind,
    { fields: rateFields(kind as RateKind), words: RATE_WORDS, checks: RATE_CHECKS },
  ]);
  const fields = ["capacity", "ttl", "share"];
  const concurrency = { fields, words: LEASE_WORDS, checks: LEASE_CHECKS };
  return { ...Object.fromEntries(ofRates), concurrency };
}

function rateFields(kind: RateKind): readonly string[] {
  const { holds, windows } = RATE_KINDS[kind];
  const own = [...(holds ? ["maxReserved"] : []), ...(windows ? ["start"] : [])];
  // `share` is also known for kinds that can't be lent, because its check explains why.
  return ["rate", "period", "shards", "share", "penalty", "capacity", ...own];
}

/** The fields that a limit of any kind can have. */
export const LIMIT_FIELDS: readonly string[] = /* @__PURE__ */ allFields();

function allFields(): readonly string[] {
  return [...new Set([...FIELDS, ...Object.values(FORMS).flatMap(({ fields }) => fields)])];
}

/**
 * Checks that a value is a limit. Pure.
 *
 * @throws SpillwayError with the limit, the field, the value found and the value expected.
 */
export function checkLimit(name: string, value: unknown): asserts value is Limit {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SpillwayError({
      code: "bad-limit",
      limit: name,
      field: "the limit",
      value,
      isPrivate: true,
      expected: 'an object such as { kind: "token bucket", rate: 10, period: "1m" }',
    });
  }
  const fields = value as UncheckedLimit;
  const form = formOf(name, fields.kind);
  // Before the names, because it explains why leases have none.
  penaltyOf(name, fields);
  checkFieldNames(name, fields, form);
  for (const check of form.checks) checkField(check, fields, name);
}

function formOf(name: string, kind: unknown): LimitForm {
  if (typeof kind === "string" && Object.hasOwn(FORMS, kind)) return FORMS[kind] as LimitForm;
  const kinds = Object.keys(FORMS);
  const near = typeof kind === "string" ? nearest(kind, kinds) : undefined;
  throw new SpillwayError({
    code: "bad-kind",
    limit: name,
    field: "kind",
    value: kind,
    expected: `one of ${kinds.map((known) => `"${known}"`).join(", ")}`,
    hint: near && `Did you mean "${near}"?`,
  });
}

function checkFieldNames(name: string, fields: UncheckedLimit, form: LimitForm): void {
  const known = [...FIELDS, ...form.fields];
  for (const field of Object.keys(fields)) {
    if (known.includes(field)) continue;
    const near = form.words.get(field) ?? nearest(field, known);
    throw new SpillwayError({
      code: "unknown-field",
      limit: name,
      field,
      value: fields[field],
      expected: `a ${fields.kind} has ${known.join(", ")}`,
      hint: near && `Did you mean ${near}?`,
    });
  }
}

/** Checks the answer while a store is unavailable. @throws SpillwayError `bad-option` */
export function checkWhenUnavailable(whenUnavailable: unknown): void {
  checkField(POLICY_CHECK, { whenUnavailable });
}

/** Checks a mode. @throws SpillwayError `bad-mode` */
export function checkMode(mode: unknown): void {
  checkField(MODE_CHECK, { mode: mode ?? null });
}
