import type { Observer } from "../../limits/core/index.ts";

/** An observer that notifies two, in order. */
export function both(one: Observer, other: Observer): Observer {
  return {
    refused(budget, snapshot) {
      one.refused(budget, snapshot);
      other.refused(budget, snapshot);
    },
    taken(budget) {
      one.taken(budget);
      other.taken(budget);
    },
    changed(budget) {
      one.changed(budget);
      other.changed(budget);
    },
  };
}
