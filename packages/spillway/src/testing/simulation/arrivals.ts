import type { Random } from "../../limits/core/index.ts";
import type { Curve } from "./curves.ts";
import type { VirtualTime } from "./virtual-time.ts";

type ArrivalSource = {
  readonly time: VirtualTime;
  readonly random: Random;
  /** When the last one may arrive. */
  readonly until: number;
  readonly arrive: () => void;
};

/** Lets something arrive again and again, from now on. */
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

/** By thinning: a Poisson process at the highest rate, of which a part is left out by chance. */
function nextArrival({ most, at }: Curve, { from, until, random }: ArrivalInterval): number {
  let instant = from;
  do instant -= (1000 / most) * Math.log(1 - random());
  while (instant < until && random() * most >= at(instant));
  return instant;
}
