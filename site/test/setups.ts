/** Random setups of the playground, all of which it accepts. */
import fc from "fast-check";
import { hasCapacity, KINDS, type LimitSetup, type Setup } from "../model/index.ts";

const concurrency: fc.Arbitrary<LimitSetup> = fc.record({
  kind: fc.constant("concurrency"),
  capacity: fc.integer({ min: 1, max: 300 }),
  ttl: fc.constantFrom(250, 1500, 30_000, 3_600_000),
  work: fc.constantFrom(1, 400, 2000, 60_000),
});

const rate: fc.Arbitrary<LimitSetup> = fc
  .record({
    kind: fc.constantFrom(...KINDS.filter((kind) => kind !== "concurrency")),
    rate: fc.integer({ min: 1, max: 200 }),
    period: fc.constantFrom(250, 1000, 1500, 60_000, 3_600_000, 86_400_000),
    capacity: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ capacity, ...rest }) => (hasCapacity(rest.kind) ? { ...rest, capacity } : rest));

const limit = fc.oneof({ weight: 4, arbitrary: rate }, { weight: 1, arbitrary: concurrency });

const phase = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((count) => `${count} at once`),
  fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20 }))
    .map(([rate, seconds]) => `${rate}/s for ${seconds}s`),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([count, seconds]) => `${count} at once every ${seconds}s for 1m`),
);

const traffic = fc.array(phase, { minLength: 1, maxLength: 3 }).map((all) => all.join(", then "));

export const setups: fc.Arbitrary<Setup> = fc
  .record({
    limits: fc.array(limit, { minLength: 1, maxLength: 3 }),
    traffic,
    times: fc.option(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 }),
    ),
    obeys: fc.boolean(),
    units: fc.integer({ min: 1, max: 3 }),
    aligned: fc.boolean(),
  })
  .map(({ times, ...setup }) => {
    if (times === null) return setup;
    return { ...setup, times: [0, ...times].sort((a, b) => a - b) };
  });
