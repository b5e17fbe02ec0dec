/** The least number of a limit with which nobody is refused. Pure. */
import { hasCapacity, type LimitSetup } from "./limit-setup.ts";
import { play } from "./play.ts";
import { arrivalsOf, type Setup } from "./setup.ts";
import { readTrafficPhases } from "./traffic.ts";

/** The most requests for which it is searched: each of some twenty trials is a play. */
const MOST = 5000;

/** The field to change, its value, and the value with which the first phase of the traffic passes. */
export type LeastNumber = {
  readonly field: "capacity" | "rate";
  readonly value: number;
  readonly first: { readonly requests: number; readonly value: number } | undefined;
};

/**
 * Searches the least capacity, or for kinds without one the least rate, that refuses no request.
 *
 * A larger number never refuses more, so halving the range finds it. Undefined for more than 5000
 * requests, and where no number suffices.
 */
export function leastNumber(setup: Setup, limit: LimitSetup): LeastNumber | undefined {
  const { arrivals } = arrivalsOf(setup);
  if (arrivals.length > MOST) return undefined;
  const trial = { setup: { ...setup, obeys: false }, limit, field: fieldOf(limit) };
  const value = search({ ...trial, arrivals });
  if (value === undefined) return undefined;
  const requests = firstPhase(setup);
  if (requests >= arrivals.length) return { field: trial.field, value, first: undefined };
  const first = search({ ...trial, arrivals: arrivals.slice(0, requests) });
  return {
    field: trial.field,
    value,
    first: first === undefined ? undefined : { requests, value: first },
  };
}

/** The number of a limit that decides how large a burst may be. */
function fieldOf({ kind }: LimitSetup): "capacity" | "rate" {
  return hasCapacity(kind) ? "capacity" : "rate";
}

function firstPhase({ traffic, times }: Setup): number {
  if (times !== undefined) return times.length;
  return readTrafficPhases(traffic)[0]?.count ?? 0;
}

type Trial = {
  readonly setup: Setup;
  readonly limit: LimitSetup;
  readonly field: "capacity" | "rate";
  readonly arrivals: readonly number[];
};

function search({ setup, limit, field, arrivals }: Trial): number | undefined {
  const traffic = { arrivals, duration: (arrivals.at(-1) ?? 0) + 1 };
  const suffices = (value: number) =>
    play({ ...limit, [field]: value } as LimitSetup, setup, traffic).decisions.every(
      ({ ok }) => ok,
    );
  let most = setup.units * arrivals.length;
  if (!suffices(most)) return undefined;
  for (let least = setup.units; least < most; ) {
    const middle = Math.floor((least + most) / 2);
    if (suffices(middle)) most = middle;
    else least = middle + 1;
  }
  return most;
}
