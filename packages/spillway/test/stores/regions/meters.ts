/** What the laws allow, counted exactly from what was admitted. */
import type { Plan } from "../../../src/limits/core/index.ts";
import { partPlans } from "../../../src/stores/regions/parts.ts";
import { EPOCH } from "./world.ts";

/** What a reset lets come again: units of a bucket or a window, and of the window before. */
export type Freed = { readonly units: number; readonly previous: number };

export type Meter = {
  /** Notes units that were admitted at an instant; returns by how many units that is over the bound. */
  add(units: number, now: number): number;
  /** Notes that a region was reset. */
  free(freed: Freed, now: number): void;
};

/** The bound of every span at once: a bucket that starts full. */
export function bucketMeter({ rate, period, capacity }: Plan): Meter {
  let missing = 0;
  let since = 0;
  return {
    add(units, now) {
      missing = Math.max(0, missing - (now - since) * rate) + units * period;
      since = now;
      return missing / period - capacity;
    },
    free({ units }) {
      missing = Math.max(0, missing - units * period);
    },
  };
}

/** Windows from 1970 on: what is not used rolls over, up to the capacity. */
export function fixedMeter({ rate, period, capacity }: Plan): Meter {
  let left = capacity;
  let last: number | undefined;
  const gain = (units: number, now: number) => {
    const window = Math.floor((EPOCH + now) / period);
    left = Math.min(capacity, left + (window - (last ?? window)) * rate + units);
    last = window;
  };
  return {
    add(units, now) {
      gain(0, now);
      left -= units;
      return -left;
    },
    free: ({ units }, now) => gain(units, now),
  };
}

/** The estimate of true counts. */
export function slidingMeter({ rate, period }: Plan): Meter {
  const counts = new Map<number, number>();
  const of = (window: number) => counts.get(window) ?? 0;
  const windowAt = (now: number) => Math.floor((EPOCH + now) / period);
  return {
    add(units, now) {
      const window = windowAt(now);
      counts.set(window, of(window) + units);
      const fades = of(window - 1) * (period - ((EPOCH + now) % period));
      return fades / period + of(window) - rate;
    },
    free({ units, previous }, now) {
      const window = windowAt(now);
      counts.set(window, of(window) - units);
      counts.set(window - 1, of(window - 1) - previous);
    },
  };
}

/**
 * Parts in windows of their own: from any instant on, no more than each part admits in those of its windows that are
 * touched. Shares end with their window, and no part's window has more than what it holds.
 */
export function apartMeter(
  plan: Plan,
  { parts, skews }: { readonly parts: readonly number[]; readonly skews: readonly number[] },
): Meter {
  const { period } = plan;
  const plans = partPlans(plan, parts, period);
  const capacity = sum(plans.map((part) => part.capacity));
  /** Units of all windows that began from 1970 on: what may come in a span is the difference at its ends. */
  const gained = (now: number) =>
    sum(
      plans.map(({ rate }, index) => {
        return rate * Math.floor((EPOCH + now + (skews[index] as number)) / period);
      }),
    );
  const spans: { readonly from: number; units: number }[] = [];
  return {
    add(units, now) {
      const until = gained(now);
      // Of the spans that begin in the same windows, the first has most.
      if (spans.at(-1)?.from !== until) spans.push({ from: until, units: 0 });
      for (const span of spans) span.units += units;
      return Math.max(...spans.map((span) => span.units - (until - span.from))) - capacity;
    },
    free({ units }) {
      for (const span of spans) span.units -= units;
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
