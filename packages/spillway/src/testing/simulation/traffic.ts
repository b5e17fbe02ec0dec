import type { Random } from "../../limits/core/index.ts";
import type { Priority } from "../../shedding/index.ts";
import { type Curve, scaled } from "./curves.ts";
import type { Distribution } from "./distributions.ts";

/**
 * How clients use connections.
 *
 * - `kept`: as many connections as needed are already open; they cost nothing.
 * - `pooled`: a connection is opened when all others are in use. The one last used is used again
 *   first.
 * - `single use`: each request opens its own connection.
 */
export type ConnectionUse = "kept" | "pooled" | "single use";

/** How clients connect, and what they do without an answer or after a refusal. */
export type ClientOptions = {
  /** How clients use connections. Default: `"kept"`. */
  readonly connections?: ConnectionUse;
  /**
   * Whether clients close a connection that had no answer by the deadline. Default: false.
   *
   * With `kept` connections another one is available at once, as with HTTP/2, which resets only the
   * stream.
   */
  readonly closes?: boolean;
  /** The time after which the answer to an attempt is worthless, in milliseconds. Default: 1000. */
  readonly deadline?: number;
  /** The maximum number of attempts of a request, the first one included. Default: 1. */
  readonly attempts?: number;
  /**
   * The longest wait before the first retry, in milliseconds. It doubles with each retry; the wait
   * is uniformly random from 0 to it. Default: 100.
   */
  readonly backoff?: number;
  /**
   * Whether a retry also waits for the refusal's `retryAfter`, before its backoff. Default: false.
   */
  readonly honoursRetryAfter?: boolean;
  /**
   * Whether the server knows the client's deadline and passes it to the shedder. Default: false.
   */
  readonly tellsDeadline?: boolean;
};

/** The cost of a kind of request, and its priority. */
export type Route = {
  /**
   * The CPU time, in milliseconds. With a downstream, half of it is used before and half after.
   * Default: none.
   */
  readonly cpu?: Distribution;
  /** The pool that a request waits for, and the time of a worker that it takes, in milliseconds. */
  readonly downstream?: { readonly pool: string; readonly time: Distribution };
  /**
   * How long the response lasts after it has begun, in milliseconds, as with a stream. It uses no
   * CPU. Default: 0.
   *
   * The request counts as answered when the response begins; its admission ends with the response.
   * If infinite, the response never ends.
   */
  readonly holds?: Distribution;
  /** The name under which these requests are also counted separately; see `route` of `Span`. */
  readonly name?: string;
  /** The priority of the requests. Default: `"normal"`. */
  readonly priority?: Priority;
  /**
   * The number of users that send these requests, all equally often. The shedder receives each user
   * as a cohort. Default: none.
   */
  readonly users?: number;
  /** Whether the shedder admits every request and counts none, as for health checks. */
  readonly exempt?: boolean;
  /** The options in which these clients differ from the scenario's. */
  readonly client?: ClientOptions;
};

/** Random requests (a Poisson process) at a rate that may change. */
export type Traffic = Route & {
  /** Requests a second, without their retries. */
  readonly rate: Curve;
};

/**
 * Divides the rate of requests among routes by weight. Each becomes its own Poisson process. Pure.
 */
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

/** One request with all its random numbers, which do not depend on its results. */
export type SimulatedRequest = {
  readonly route: Route;
  readonly priority: Priority;
  readonly arrived: number;
  readonly cpu: number;
  /**
   * The pool that the request waits for, and the time of a worker that it takes, in milliseconds.
   */
  readonly downstream: { readonly pool: string; readonly ms: number } | undefined;
  /** How long the response lasts after it has begun, in milliseconds. */
  readonly holds: number;
  readonly cohort: string | undefined;
};

/** Returns a random request of a route. */
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
