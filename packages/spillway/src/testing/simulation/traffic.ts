import type { Random } from "../../limits/core/index.ts";
import type { Priority } from "../../shedding/index.ts";
import { type Curve, scaled } from "./curves.ts";
import type { Distribution } from "./distributions.ts";

/**
 * Over which connections requests come.
 *
 * - `kept`: as many as are needed were opened beforehand; they cost nothing.
 * - `pooled`: opened when all others are in use, and used again, the one last used first.
 * - `single use`: one for each request.
 */
export type ConnectionUse = "kept" | "pooled" | "single use";

/** How clients connect, and what they do when they get no good answer. */
export type ClientOptions = {
  /** Default: `"kept"`. */
  readonly connections?: ConnectionUse;
  /**
   * Whether clients close the connection on which no answer came by the deadline. Default: false.
   *
   * Where it is kept, another one is there; as with HTTP/2, which resets the stream.
   */
  readonly closes?: boolean;
  /** Milliseconds after which an attempt's answer is worthless. Default: 1000. */
  readonly deadline?: number;
  /** How often a request is sent at most, in all. Default: 1. */
  readonly attempts?: number;
  /** The longest first wait in ms; it doubles each time, and any part of it is as likely. 100. */
  readonly backoff?: number;
  /** Waits for a refusal's `retryAfter` first. Default: false. */
  readonly honoursRetryAfter?: boolean;
  /** The server knows until when the client waits, and passes that to the shedder. Default: false. */
  readonly tellsDeadline?: boolean;
};

/** What a kind of request costs, and how much it matters. */
export type Route = {
  /** CPU time in ms. Default: none. With a downstream, half of it comes before, half after. */
  readonly cpu?: Distribution;
  /** The pool that it waits for, and for how much of its workers' time, in ms. */
  readonly downstream?: { readonly pool: string; readonly time: Distribution };
  /**
   * For how many ms the response goes on once it has begun: a stream, which uses no CPU. Default: 0.
   *
   * It is answered when it begins, and its admission ends when it does. Infinite: it never does.
   */
  readonly holds?: Distribution;
  /** Under which its requests are counted apart as well, as a `Span` asks. */
  readonly name?: string;
  /** Default: `"normal"`. */
  readonly priority?: Priority;
  /** How many users it comes from, each as likely; the shedder gets them as cohorts. Default: none. */
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
export type SimulatedRequest = {
  readonly route: Route;
  readonly priority: Priority;
  readonly arrived: number;
  readonly cpu: number;
  /** The pool that it waits for, and the milliseconds of a worker's time that it takes there. */
  readonly downstream: { readonly pool: string; readonly ms: number } | undefined;
  /** Milliseconds for which its response goes on. */
  readonly holds: number;
  readonly cohort: string | undefined;
};

/** Draws a request of a route. */
export function drawRequest(
  route: Route,
  { arrived, random }: { readonly arrived: number; readonly random: Random },
): SimulatedRequest {
  const { priority = "normal", users } = route;
  const cpu = route.cpu?.(random) ?? 0;
  const downstream = route.downstream && {
    pool: route.downstream.pool,
    ms: route.downstream.time(random),
  };
  const cohort = users === undefined ? undefined : `user ${Math.floor(random() * users)}`;
  const holds = route.holds?.(random) ?? 0;
  return { route, priority, arrived, cpu, downstream, holds, cohort };
}
