import fc from "fast-check";
import type { Limit } from "../../src/limits/core/index.ts";

const units = fc.integer({ min: 1, max: 12 });

/** Limits of which units are lent, for so long and with such numbers that much happens in a few steps. */
export const lentLimits: fc.Arbitrary<Limit> = fc
  .record({
    kind: fc.constantFrom("token bucket", "fixed window", "sliding window"),
    rate: units,
    period: fc.integer({ min: 100, max: 3000 }),
    capacity: fc.integer({ min: 1, max: 30 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ kind, rate, period, capacity, share }) => {
    const longest = kind === "token bucket" ? 4000 : period;
    const lent = { rate, period, share: Math.round(100 + share * (longest - 100)) };
    if (kind === "token bucket") return { kind, capacity, ...lent };
    if (kind === "fixed window") return { kind, capacity, start: 0, ...lent };
    return { kind: "sliding window", start: 0, ...lent };
  });
