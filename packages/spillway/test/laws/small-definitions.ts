/** Definitions of one limit, and requests under them in turn. */
import fc from "fast-check";
import type { Kind, Limit } from "../../src/limits/core/index.ts";
import { KINDS } from "./arbitrary.ts";

/** Every kind, leases too. */
export const ALL: readonly Kind[] = [...KINDS, "concurrency"];

const small = fc.integer({ min: 1, max: 12 });
const period = fc.integer({ min: 50, max: 3000 });

/** Limits small enough that asks meet their edges. */
export function smallLimit(kind: Kind): fc.Arbitrary<Limit> {
  if (kind === "concurrency")
    return fc.record({ kind: fc.constant(kind), capacity: small, ttl: period });
  const base = { kind: fc.constant(kind), rate: small, period };
  const isSliding = kind.startsWith("sliding");
  const holding = isSliding
    ? {}
    : { capacity: fc.integer({ min: 1, max: 20 }), maxReserved: fc.integer({ min: 0, max: 20 }) };
  const fields = {
    ...base,
    ...holding,
    ...(kind.endsWith("window") ? { start: fc.integer({ min: 0, max: 5000 }) } : {}),
  };
  return fc.record(fields, { requiredKeys: ["kind", "rate", "period"] }) as fc.Arbitrary<Limit>;
}

/** Requests, each under one of the definitions. */
export const turns = (pause: fc.Arbitrary<number>, count: fc.Arbitrary<number>) =>
  fc.array(fc.record({ which: fc.nat(), pause, count, reserve: fc.boolean() }), {
    minLength: 1,
    maxLength: 120,
    size: "max",
  });
