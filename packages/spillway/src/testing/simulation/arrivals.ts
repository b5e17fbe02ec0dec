import type { Random } from "../../core/index.ts";
import type { Curve } from "./curves.ts";
import { drawRequest, type Request, type Traffic } from "./traffic.ts";
import type { VirtualTime } from "./virtual-time.ts";

type Source = {
  readonly time: VirtualTime;
  readonly random: Random;
  /** When the last one may arrive. */
  readonly until: number;
  readonly arrive: (request: Request) => void;
};

/** Lets requests of one kind arrive, from now on. */
export function startArrivals(traffic: Traffic, source: Source): void {
  const { time, random, until } = source;
  const arrived = nextArrival(traffic.rate, { from: time.now, until, random });
  if (arrived >= until) return;
  time.plan({
    at: arrived,
    call: () => {
      source.arrive(drawRequest(traffic, { arrived, random }));
      startArrivals(traffic, source);
    },
  });
}

type Stretch = { readonly from: number; readonly until: number; readonly random: Random };

/** By thinning: a Poisson process at the highest rate, of which a part is left out by chance. */
function nextArrival({ most, at }: Curve, { from, until, random }: Stretch): number {
  let instant = from;
  do instant -= (1000 / most) * Math.log(1 - random());
  while (instant < until && random() * most >= at(instant));
  return instant;
}
