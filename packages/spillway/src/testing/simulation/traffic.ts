import type { Random } from "../../core/index.ts";
import type { Priority } from "../../shedding/index.ts";
import { type Curve, scaled } from "./curves.ts";
import type { Distribution } from "./distributions.ts";

/** What clients do when they get no good answer. */
export type ClientOptions = {
  /** Milliseconds after which an attempt's answer is worthless; 1000 unless said. */
  readonly deadline?: number;
  /** How often a request is sent at most, in all; 1 unless said. */
  readonly attempts?: number;
  /** The longest first wait in ms; it doubles each time, and any part of it is as likely. 100. */
  readonly backoff?: number;
  /** Waits for a refusal's `retryAfter` first; false unless said. */
  readonly honoursRetryAfter?: boolean;
  /** The server is told until when the client waits, and tells the shedder; false unless said. */
  readonly tellsDeadline?: boolean;
};

/** What a kind of request costs, and how much it matters. */
export type Route = {
  /** CPU time in ms; none unless said. With a downstream, half of it comes before, half after. */
  readonly cpu?: Distribution;
  /** The pool that it waits for, and for how much of its workers' time, in ms. */
  readonly downstream?: { readonly pool: string; readonly time: Distribution };
  /** `"normal"` unless said. */
  readonly priority?: Priority;
  /** How many users it comes from, each as likely; they are told as cohorts. None unless said. */
  readonly users?: number;
  /** A health check. */
  readonly exempt?: boolean;
  /** Where its clients differ from the others. */
  readonly client?: ClientOptions;
};

/** Requests that arrive by chance (a Poisson process), at a rate that may change. */
export type Traffic = Route & {
  /** Requests a second, without their retries. */
  readonly rate: Curve;
};

/** Divides requests among routes by weight; each is a Poisson process of its own. Pure. */
export function mix(
  rate: Curve,
  routes: readonly (Route & { readonly weight: number })[],
): Traffic[] {
  const all = routes.reduce((sum, { weight }) => sum + weight, 0);
  return routes.map(({ weight, ...route }) => ({
    ...route,
    rate: scaled(rate, { by: weight / all }),
  }));
}

/** One request with all that chance decides about it, the same whatever becomes of it. */
export type Request = {
  readonly route: Route;
  readonly priority: Priority;
  readonly arrived: number;
  readonly cpu: number;
  /** The pool that it waits for, and the milliseconds of a worker's time that it takes there. */
  readonly downstream: { readonly pool: string; readonly ms: number } | undefined;
  readonly cohort: string | undefined;
};

/** Draws a request of a route. */
export function drawRequest(
  route: Route,
  { arrived, random }: { readonly arrived: number; readonly random: Random },
): Request {
  const { priority = "normal", users } = route;
  const cpu = route.cpu?.(random) ?? 0;
  const downstream = route.downstream && {
    pool: route.downstream.pool,
    ms: route.downstream.time(random),
  };
  const cohort = users === undefined ? undefined : `user ${Math.floor(random() * users)}`;
  return { route, priority, arrived, cpu, downstream, cohort };
}
