/** What the laws allow, counted exactly from what was admitted. */
import type { Plan } from "../../../src/core/index.ts";
import { EPOCH } from "./world.ts";

/** Notes units that were admitted at an instant; returns by how many units that is over the bound. */
export type Meter = (units: number, now: number) => number;

/** The bound of every span at once: a bucket that starts full, in whole ticks. */
export function bucketMeter({ rate, period, capacity }: Plan): Meter {
  let missing = 0;
  let since = 0;
  return (units, now) => {
    missing = Math.max(0, missing - (now - since) * rate) + units * period;
    since = now;
    return Math.max(0, missing / period - capacity);
  };
}

/** Windows from 1970 on: what is not used rolls over, up to the capacity. */
export function fixedMeter({ rate, period, capacity }: Plan): Meter {
  let left = capacity;
  let last: number | undefined;
  return (units, now) => {
    const window = Math.floor((EPOCH + now) / period);
    left = Math.min(capacity, left + (window - (last ?? window)) * rate) - units;
    last = window;
    return Math.max(0, -left);
  };
}

/** The estimate of true counts. */
export function slidingMeter({ rate, period }: Plan): Meter {
  const counts = new Map<number, number>();
  return (units, now) => {
    const instant = EPOCH + now;
    const window = Math.floor(instant / period);
    counts.set(window, (counts.get(window) ?? 0) + units);
    const fades = (counts.get(window - 1) ?? 0) * (period - (instant % period));
    return Math.max(0, fades / period + (counts.get(window) as number) - rate);
  };
}
