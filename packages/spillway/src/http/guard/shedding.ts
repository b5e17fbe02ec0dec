/** Asks a shedder before the limits. */
import { chain, type MaybePromise, together } from "../../internal/index.ts";
import { LONGEST } from "../../limits/core/index.ts";
import type { Admission, Shedder, Work } from "../../shedding/index.ts";
import { called } from "./calls.ts";
import type { Entrance } from "./entrance.ts";
import type { RouteOptions } from "./route.ts";
import { finderOf } from "./route-asks.ts";

/** Returns a function that asks the route's shedder; undefined if the route has none. */
export function sheddingOf<R>(route: RouteOptions<R>, timeout: number) {
  const { shedder, priority, cohort, deadline } = route;
  if (shedder === undefined) return undefined;
  const fields = { priority, cohort, deadline };
  const finders = Object.entries(fields).map(([field, value]) =>
    finderOf<R, unknown>({ field, timeout, value }),
  );
  // The shedder itself decides how long work waits, so the route's timeout does not apply.
  const sought = { field: "shedder", timeout: LONGEST };
  const admit = (shedder: Shedder, work: Work) => shedder.admit(work);
  return (entrance: Entrance<R>): MaybePromise<Admission> => {
    const found = together(finders, (find) => find(entrance.request, entrance));
    return chain(found, ([priority, cohort, deadline]) => {
      const work = { priority, cohort, deadline, signal: entrance.signal } as Work;
      return called(sought, admit, shedder, work);
    });
  };
}
