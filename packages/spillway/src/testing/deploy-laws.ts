/** Conformance cases for deploys: two or three definitions of one limit are used alternately. */
import { RateLimiter } from "../limiter/index.ts";
import {
  type Kind,
  type Limit,
  type Limits,
  RATE_KINDS,
  type Random,
  type Store,
  type Timing,
} from "../limits/core/index.ts";
import { memoryStore } from "../stores/memory/index.ts";
import type { CaseBody, TestedLimiter } from "./cases.ts";
import { expectParts } from "./expect.ts";
import type { ManualClock } from "./manual-clock.ts";
import { sampleLimitOf, whole } from "./sample.ts";
import { seededRandom } from "./seeded-random.ts";
import { admitsNoLessThanAlone, admitsNoMoreThanApart, sampleTurns } from "./turns.ts";

const KINDS = [...Object.keys(RATE_KINDS), "concurrency"] as readonly Kind[];

const key = "k";
const day = 86_400_000;

/** Changes of a definition that have been seen to admit without bound, or to refuse forever. */
const DEPLOYS: { readonly [name: string]: readonly [Limit, Limit] } = {
  "a token bucket that becomes faster": [
    { kind: "token bucket", rate: 100, period: 1000 },
    { kind: "token bucket", rate: 200, period: 1000 },
  ],
  "a sliding window that becomes longer": [
    { kind: "sliding window", rate: 100, period: 1000 },
    { kind: "sliding window", rate: 300, period: 3000 },
  ],
  "a sliding log that holds more": [
    { kind: "sliding log", rate: 100, period: 2000 },
    { kind: "sliding log", rate: 150, period: 2000 },
  ],
  "a leaky bucket that becomes slower": [
    { kind: "leaky bucket", rate: 100, period: 1000 },
    { kind: "leaky bucket", rate: 50, period: 1000 },
  ],
  "a fixed window that becomes a token bucket": [
    { kind: "fixed window", rate: 100, period: 1000 },
    { kind: "token bucket", rate: 200, period: 1000, capacity: 50 },
  ],
};

/** The cases, by name. */
export const deployLaws: { readonly [name: string]: CaseBody } = {
  ...Object.fromEntries(
    KINDS.flatMap((one) =>
      KINDS.map((other) => [
        `a ${one} and a ${other} take turns within both bounds`,
        (_limiter, clock, store) => takeTurns(store, clock, [one, other]),
      ]),
    ) as [string, CaseBody][],
  ),
  ...Object.fromEntries(
    Object.entries(DEPLOYS).map(([name, limits]) => [
      `admits in a deploy what two definitions allow: ${name}`,
      (_limiter, clock, store) => deploy(store, clock, limits),
    ]) as [string, CaseBody][],
  ),
};

/** Returns limiters that share one store, each with its own definition. */
export function limitersOf(
  store: Store<Timing>,
  limits: readonly Limit[],
): readonly TestedLimiter[] {
  const named: readonly Limits[] = limits.map((it) => ({ it }));
  return named.map((one) => new RateLimiter(one, { store, warn: () => {} }));
}

/** Makes `asks` calls of one unit at once. Returns how many are admitted. */
export async function burst(limiter: TestedLimiter, asks: number): Promise<number> {
  const all = Array.from({ length: asks }, () => limiter.limit("it", { key }));
  return (await Promise.all(all)).filter(({ ok }) => ok).length;
}

/**
 * Alternates two definitions for four seconds. Together they may admit at most the sum of what each
 * admits alone, and at least the smaller of the two.
 */
async function deploy(
  store: Store<Timing>,
  clock: ManualClock,
  limits: readonly [Limit, Limit],
): Promise<void> {
  const both = limitersOf(store, limits);
  const apart = limits.flatMap((limit) => limitersOf(memoryStore({ clock }), [limit]));
  const alone = [0, 0];
  let admitted = 0;
  for (let step = 0; step < 80; step++) {
    for (const [place, limiter] of both.entries()) {
      admitted += await burst(limiter, 25);
      alone[place] = (alone[place] ?? 0) + (await burst(apart[place] as TestedLimiter, 25));
    }
    clock.advance(50);
  }
  const [one = 0, other = 0] = alone;
  const fits = admitted <= one + other && admitted >= Math.min(one, other);
  expectParts({ fits }, { fits: true }, `${admitted} admitted; ${one} and ${other} alone`);
}

/** Alternates two kinds and a third definition of a random kind, within both bounds. */
async function takeTurns(
  store: Store<Timing>,
  clock: ManualClock,
  kinds: readonly [Kind, Kind],
): Promise<void> {
  const random = seededRandom(KINDS.indexOf(kinds[0]) * KINDS.length + KINDS.indexOf(kinds[1]));
  const drawn = [...kinds, KINDS[whole(random, { low: 0, high: KINDS.length - 1 })] as Kind];
  const limits = drawn.map((kind) => sampleLimitOf(random, kind));
  const mixed = sampleTurns(random, { limits: 3, steps: 80, longest: 400 });
  await admitsNoMoreThanApart({ store, clock, limits, turns: mixed });
  clock.advance(day);
  await dense(store, clock, { limits, random });
}

/** Makes many calls of one unit within the time in which a key becomes fresh again. */
async function dense(
  store: Store<Timing>,
  clock: ManualClock,
  { limits, random }: { readonly limits: readonly Limit[]; readonly random: Random },
): Promise<void> {
  const turns = sampleTurns(random, { limits: 3, steps: 160, longest: 400 });
  const single = turns.map((turn) => ({ ...turn, count: 1, reserve: false }));
  await admitsNoLessThanAlone({ store, clock, limits, turns: single }, { settled: 80 });
}
