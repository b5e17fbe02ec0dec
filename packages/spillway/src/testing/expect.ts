/** The few comparisons the suite needs, so that it runs under any test runner. */
import type { Decision } from "../limits/core/index.ts";

/** @throws Error with what was found and expected, unless the parts named in `expected` agree. */
export function expectParts<T extends object>(found: T, expected: Partial<T>, where: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const actual = found[field as keyof T];
    if (Object.is(actual, value)) continue;
    throw new Error(`${where}: ${field} is ${shown(actual)}, expected ${shown(value)}`);
  }
}

/** What a limiter adds by the time that really passes, and no store says. */
const ESTIMATE: keyof Decision = "estimatedRetryAfter";

/** @throws Error unless two answers are the same in every field that is a store's, however deep. */
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
