import type { Random } from "../../limits/core/index.ts";
import type { Curve } from "./curves.ts";
import type { VirtualTime } from "./virtual-time.ts";

type ArrivalSource = {
  readonly time: VirtualTime;
  readonly random: Random;
  /**
   * The instant before which the last arrival may come, in milliseconds since the simulation began.
   */
  readonly until: number;
  readonly arrive: () => void;
};

/**
 * Plans random arrivals one after the other, from now on, as a Poisson process of the given rate.
 */
export function startArrivals(rate: Curve, source: ArrivalSource): void {
  const { time, random, until } = source;
  const at = nextArrival(rate, { from: time.now, until, random });
  if (at >= until) return;
  time.plan({
    at,
    call: () => {
      source.arrive();
      startArrivals(rate, source);
    },
  });
}

type ArrivalInterval = { readonly from: number; readonly until: number; readonly random: Random };

/**
 * Thinning: draws arrivals at the highest rate and skips some at random, so that the rest have the
 * current rate.
 */
function nextArrival({ most, at }: Curve, { from, until, random }: ArrivalInterval): number {
  let instant = from;
  do instant -= (1000 / most) * Math.log(1 - random());
  while (instant < until && random() * most >= at(instant));
  return instant;
}
