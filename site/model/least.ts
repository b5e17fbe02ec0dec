/** The least number of a limit with which nobody is refused. Pure. */
import { hasCapacity, type LimitSetup } from "./limit-setup.ts";
import { arrivalsOf, type Setup } from "./setup.ts";
import { Stage } from "./stage.ts";
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
  const trials = leastNumberTrials(setup, limit);
  for (;;) {
    const { done, value } = trials.next();
    if (done === true) return value;
  }
}

/** A search in parts, between which other work can be done. */
type Trials<T> = Generator<undefined, T>;

/** Searches as `leastNumber` does, a trial at a time. */
export function* leastNumberTrials(
  setup: Setup,
  limit: LimitSetup,
): Trials<LeastNumber | undefined> {
  const { arrivals } = arrivalsOf(setup);
  if (arrivals.length > MOST) return undefined;
  const trial = { setup, limit, field: fieldOf(limit) };
  const value = yield* search({ ...trial, arrivals });
  if (value === undefined) return undefined;
  const requests = firstPhase(setup);
  if (requests >= arrivals.length) return { field: trial.field, value, first: undefined };
  const first = yield* search({ ...trial, arrivals: arrivals.slice(0, requests) });
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

function* search(trial: Trial): Trials<number | undefined> {
  const { setup, arrivals } = trial;
  let most = setup.units * arrivals.length;
  yield;
  if (!suffices(trial, most)) return undefined;
  for (let least = setup.units; least < most; ) {
    const middle = Math.floor((least + most) / 2);
    yield;
    if (suffices(trial, middle)) most = middle;
    else least = middle + 1;
  }
  return most;
}

/** Whether no request is refused with that number; clients that are refused do not come back. */
function suffices({ setup, limit, field, arrivals }: Trial, value: number): boolean {
  const stage = new Stage({ ...limit, [field]: value } as LimitSetup, setup);
  return arrivals.every((at) => stage.ask(at).ok);
}
