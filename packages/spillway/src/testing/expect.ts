/** The few comparisons the suite needs, so that it runs under any test runner. */

/** @throws Error with what was found and expected, unless the parts named in `expected` agree. */
export function expectParts<T extends object>(found: T, expected: Partial<T>, where: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const actual = found[field as keyof T];
    if (Object.is(actual, value)) continue;
    throw new Error(`${where}: ${field} is ${shown(actual)}, expected ${shown(value)}`);
  }
}

/** @throws Error unless two answers are the same in every field. */
export function expectSame<T extends object>(found: T, expected: T, where: string): void {
  expectParts(found, expected, where);
  expectParts(expected, found, where);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
