/** What all trials have in common. */
import {
  type AdaptiveShedderOptions,
  adaptiveShedder,
  type Priority,
  type Shedder,
} from "spillway/shedding";
import {
  type Curve,
  exponential,
  mix,
  type Route,
  type Scenario,
  type Traffic,
  type World,
} from "spillway/testing/simulation";

/** A scenario with what there is to say of it. */
export type Trial = {
  readonly title: string;
  /** One sentence for a reader: what comes, and what to look for. */
  readonly about: string;
  /** Requests a second that the server can serve, over time. */
  readonly capacity: Curve;
  /** From when on it is judged, in milliseconds: after it has settled. */
  readonly from: number;
  /** From when on it is drawn. Default: 0. */
  readonly shown?: number;
  readonly scenario: Scenario;
};

/** Requests a second that work of 5 ms CPU time leaves room for. */
export const CPU_BOUND = 200;
/** Requests that only need the CPU. */
export const WORK = { cpu: exponential(5) };

/** Which part of the requests each priority has. */
export type Shares = { readonly [P in Priority]: number };

/** At ten times the load, what is critical is 0.8 of what there is room for. */
const SHARES = {
  critical: 0.08,
  normal: 0.42,
  low: 0.3,
  background: 0.2,
} as const satisfies Shares;

/** Requests of 500 users, with so large a part of each priority. */
export function traffic(rate: Curve, route: Route, shares: Shares = SHARES): Traffic[] {
  return mix(
    rate,
    Object.entries(shares).map(([priority, weight]) => ({
      ...route,
      priority: priority as Priority,
      weight,
      users: 500,
    })),
  );
}

/** An adaptive shedder for a world, as it is without settings. */
export const adaptive = (world: World): Shedder => adaptiveWith({})(world);

/** An adaptive shedder for a world, with some settings. */
export const adaptiveWith =
  (options: AdaptiveShedderOptions) =>
  ({ scheduler, clock, random, utilization }: World): Shedder =>
    adaptiveShedder({ scheduler, clock, random, gate: utilization(), ...options });

/** The same load, all of it admitted. */
export function withoutShedder(trial: Trial): Trial {
  return { ...trial, scenario: { ...trial.scenario, shedder: () => undefined } };
}
