/** The checks of a small limiter: the rules of `RateLimiter`, answered by codes. */
import { inexactField, ratePlanOf } from "../../limits/algorithms/index.ts";
import {
  type ErrorCode,
  isInstant,
  isUnits,
  milliseconds,
  RATE_KINDS,
  type RatePlan,
} from "../../limits/core/index.ts";
import { CodedError } from "./coded-error.ts";
import type { SmallLimit } from "./kinds.ts";

/** The fields that limits of all kinds have, and those of kinds that hold or count by windows. */
type Fields = {
  readonly rate: number;
  readonly period: unknown;
  readonly capacity?: number;
  readonly maxReserved?: number;
  readonly start?: number;
};

/** Returns the plan of a limit. @throws CodedError if a field is invalid */
export function checkedPlan(limit: string, given: SmallLimit): RatePlan {
  const { kind, steps } = (given ?? {}) as SmallLimit;
  const traits = Object.hasOwn(RATE_KINDS, kind ?? "") ? RATE_KINDS[kind] : undefined;
  if (traits === undefined) throw new CodedError("bad-limit", { limit, field: "the limit" });
  const fields = fieldsOf(limit, given);
  const { rate, capacity, maxReserved, start } = fields;
  const { holds } = traits;
  const period = milliseconds(fields.period);
  const ranges: readonly (readonly [isRight: boolean, code: ErrorCode, field: keyof Fields])[] = [
    [isUnits(rate), "bad-rate", "rate"],
    [period !== undefined, "bad-period", "period"],
    [isCapacity(capacity, fields, holds), "bad-capacity", "capacity"],
    [maxReserved === undefined || isUnits(maxReserved), "bad-max-reserved", "maxReserved"],
    [start === undefined || isInstant(start), "bad-start", "start"],
  ];
  for (const [isRight, code, field] of ranges) {
    if (!isRight) throw new CodedError(code, { limit, field });
  }
  const plan = ratePlanOf(
    {
      limit,
      kind,
      rate,
      period: period as number,
      capacity: capacity ?? rate,
      maxReserved: maxReserved ?? Infinity,
      start,
      share: 0,
    },
    steps,
  );
  const field = inexactField(plan);
  if (field === undefined) return plan;
  const isRate = field === "capacity" && !("capacity" in fields);
  throw new CodedError("inexact-limit", { limit, field: isRate ? "rate" : field });
}

/** Reads the fields once. @throws CodedError `bad-limit`, `unknown-field` */
function fieldsOf(limit: string, { kind, fields: given }: SmallLimit): Fields {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new CodedError("bad-limit", { limit, field: "the limit" });
  }
  const { holds, windows } = RATE_KINDS[kind];
  const more = [...(holds ? ["maxReserved"] : []), ...(windows ? ["start"] : [])];
  const known = ["rate", "period", "capacity", ...more];
  checkNames(limit, given, known);
  const all = given as { readonly [field: string]: unknown };
  // They may be inherited, or computed when they are read.
  return Object.fromEntries(
    known.filter((field) => field in all).map((field) => [field, all[field]]),
  ) as Fields;
}

/** @throws CodedError `unknown-field` */
export function checkNames(
  limit: string | undefined,
  given: object,
  known: readonly string[],
): void {
  for (const field of Object.keys(given)) {
    if (known.includes(field)) continue;
    throw new CodedError("unknown-field", { limit, field });
  }
}

function isCapacity(capacity: unknown, { rate }: Fields, holds: boolean): boolean {
  return capacity === undefined || capacity === rate || (isUnits(capacity) && rate !== 0 && holds);
}
