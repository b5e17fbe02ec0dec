/** A shedder in front of the limits. */
import { LONGEST } from "../../core/index.ts";
import type { Admission, Work } from "../../shedding/index.ts";
import { called } from "./calls.ts";
import type { Entrance } from "./entrance.ts";
import { chain, every, type Maybe } from "./maybe.ts";
import type { RouteOptions } from "./route.ts";
import { finderOf } from "./route-asks.ts";

/** Makes a function that asks the route's shedder, where there is one. */
export function frontOf<R>(route: RouteOptions<R>, timeout: number) {
  const { shedder, priority, cohort, deadline } = route;
  if (shedder === undefined) return undefined;
  const fields = { priority, cohort, deadline };
  const finders = Object.entries(fields).map(([field, value]) =>
    finderOf<R, unknown>({ field, timeout, value }),
  );
  return ({ request, client, signal }: Entrance<R>): Maybe<Admission> => {
    const found = every(finders.map((find) => find(request, client)));
    return chain(found, ([priority, cohort, deadline]) => {
      const work = { priority, cohort, deadline, signal } as Work;
      // Work waits as long as the shedder lets it: that is its subject.
      return called({ field: "shedder", timeout: LONGEST, call: () => shedder.admit(work) });
    });
  };
}
