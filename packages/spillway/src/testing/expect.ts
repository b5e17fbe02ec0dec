/** The few comparisons that the suite needs, so that it runs under any test runner. */
import type { Decision } from "../limits/core/index.ts";

/** Compares the fields that `expected` names. @throws Error with both values if one differs */
export function expectParts<T extends object>(found: T, expected: Partial<T>, where: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const actual = found[field as keyof T];
    if (Object.is(actual, value)) continue;
    throw new Error(`${where}: ${field} is ${shown(actual)}, expected ${shown(value)}`);
  }
}

/** The one field that a limiter adds by the real time. Stores do not return it. */
const ESTIMATE: keyof Decision = "estimatedRetryAfter";

/**
 * Compares two answers at any depth, without the fields that no store returns. @throws Error if
 * they differ
 */
export function expectEqual(found: unknown, expected: unknown, where: string): void {
  if (typeof found !== "object" || typeof expected !== "object" || !found || !expected) {
    if (Object.is(found, expected)) return;
    throw new Error(`${where} is ${shown(found)}, expected ${shown(expected)}`);
  }
  for (const field of new Set([...Object.keys(found), ...Object.keys(expected)])) {
    if (field === ESTIMATE) continue;
    const [one, other] = [found, expected] as Record<string, unknown>[];
    expectEqual(one?.[field], other?.[field], `${where}: ${field}`);
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
