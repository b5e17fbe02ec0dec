/**
 * Law 10, what a key loses when a definition is new to it: what the one before it had used, that once.
 *
 * The model counts in exact fractions, so that a unit refused by rounding would show.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { planFor } from "../../src/limits/algorithms/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { runs } from "../runs.ts";

type Rate = { readonly rate: number; readonly period: number };

/** A bucket of one rate, whose units are counted in parts that both definitions share. */
class Bucket {
  used = 0n;
  isKept = false;
  keptUntil = 0;
  #since = 0;
  readonly rate: Rate;
  readonly unit: bigint;

  constructor(rate: Rate, unit: bigint) {
    this.rate = rate;
    this.unit = unit;
  }

  get capacity(): bigint {
    return BigInt(this.rate.rate) * this.unit;
  }

  drip(now: number): void {
    const back = (BigInt(now - this.#since) * this.capacity) / BigInt(this.rate.period);
    this.used = this.used > back ? this.used - back : 0n;
    this.#since = now;
  }

  /** Begins with what another had used, rounded up to the parts in which this one counts. */
  takeOver(other: Bucket): void {
    const { rate, period } = this.rate;
    const part = this.unit / BigInt(period / greatestDivisor(rate, period));
    const used = ((other.used + part - 1n) / part) * part;
    this.used = used < this.capacity ? used : this.capacity;
  }

  /** How many whole units there is room for. */
  get room(): bigint {
    return (this.capacity - this.used) / this.unit;
  }

  charge(count: bigint): void {
    this.used += (count < this.room ? count : this.room) * this.unit;
  }
}

/** Two definitions of one limit in turn, each with its own bucket. */
class Turns {
  readonly buckets: readonly Bucket[];
  #last: Bucket | undefined;

  constructor(rates: readonly Rate[]) {
    const unit = rates.reduce((product, { period }) => product * BigInt(period), 1n);
    this.buckets = rates.map((rate) => new Bucket(rate, unit));
  }

  admits({ which, count }: { which: number; count: number }, now: number): boolean {
    for (const bucket of this.buckets) bucket.drip(now);
    const bucket = this.buckets[which] as Bucket;
    this.#turnTo(bucket, now);
    const isThere = bucket.room >= BigInt(count);
    const charged = this.buckets.filter((one) => one === bucket || this.#isKept(one, now));
    if (isThere) for (const one of charged) one.charge(BigInt(count));
    return isThere;
  }

  #turnTo(bucket: Bucket, now: number): void {
    const last = this.#last;
    this.#last = bucket;
    if (last === undefined || last === bucket) return;
    const isNew = !this.#isKept(bucket, now);
    if (isNew) bucket.takeOver(last);
    // Of one that takes its turn back, what is left nobody asks: its state stays as it was.
    last.isKept = !isNew || last.used > 0n;
    last.keptUntil = now + 2 * Math.max(last.rate.period, bucket.rate.period);
  }

  #isKept({ isKept, keptUntil }: Bucket, now: number): boolean {
    return isKept && keptUntil > now;
  }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

const rate = fc.record({
  rate: fc.integer({ min: 1, max: 12 }),
  period: fc.integer({ min: 50, max: 3000 }),
});
const ask = fc.record({
  which: fc.nat(1),
  pause: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(3000)),
  count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 })),
});
const asks = fc.array(ask, { minLength: 20, maxLength: 100, size: "max" });

test.each(["leaky bucket", "token bucket"] as const)(
  "two %ss in turn refuse only for units that were given, or taken over",
  (kind) => {
    const both = fc.tuple(rate, rate).filter(([a, b]) => a.rate * b.period !== b.rate * a.period);
    const known: [Rate, Rate] = [
      { rate: 9, period: 1007 },
      { rate: 5, period: 1000 },
    ];
    fc.assert(
      fc.property(fc.oneof(fc.constant(known), both), asks, (rates, drawn) => {
        const clock = manualClock();
        const store = memoryStore({ clock });
        const plans = rates.map((each) => planFor("it", { kind, ...each }));
        const model = new Turns(rates);
        let now = 0;
        for (const { which, pause, count } of drawn) {
          clock.advance(pause);
          now += pause;
          const plan = plans[which] as (typeof plans)[number];
          const { ok } = store.limit({ plan, key: "k", count, reserve: false });
          expect(ok).toBe(model.admits({ which, count }, now));
        }
      }),
      { numRuns: runs(400) },
    );
  },
);
