/** The options of a route and its limits, the same in every framework. */
import type { MaybePromise } from "../../internal/index.ts";
import type { Decision, Limit, Limits, Warn } from "../../limits/core/index.ts";
import type { Priority, Shedder } from "../../shedding/index.ts";
import type { HeaderForm, KeyPart, PartitionKey, Trust } from "../headers/index.ts";
import type { Client } from "./client.ts";
import type { OnRouteEvent } from "./events.ts";
import type { RequestLimits } from "./request-limits.ts";

/** A function of a request, which may be asynchronous. */
export type OfRequest<R, T> = (request: R, client: Client) => MaybePromise<T>;

/** A value, or a function that returns it for a request. */
export type ValueOrOfRequest<R, T> = T | OfRequest<R, T>;

/**
 * Identifies the budget: values, and functions of the request, which are joined without ambiguity.
 *
 * One function may return all parts. A part that is undefined is an error, not a budget that all
 * clients share.
 */
export type RouteKey<R> =
  | ValueOrOfRequest<R, KeyPart | readonly KeyPart[]>
  | readonly ValueOrOfRequest<R, KeyPart>[];

/** How a response ended. */
export type ResponseOutcome = {
  /** The HTTP status. */
  readonly status: number;
  /**
   * Whether the whole response was sent; false if the client disconnected or the connection broke.
   */
  readonly finished: boolean;
};

/**
 * Returns the units really used, at once or as a promise.
 *
 * `"reset"` forgets everything that the key has used. Undefined keeps the units taken.
 *
 * Called once for each admitted request, when its response is over, if the response was begun. A
 * client that disconnects earlier is charged in full.
 */
export type SettleFunction<R> = (
  outcome: ResponseOutcome,
  request: R,
) => MaybePromise<number | "reset" | undefined>;

type RouteLimitFields<R> = {
  /**
   * Identifies the budget. Default: the client's address. Any constant text gives one budget for
   * all requests.
   */
  readonly key?: RouteKey<R>;
  /** Units to take: a whole number. Default: 1. */
  readonly count?: ValueOrOfRequest<R, number>;
  /**
   * Takes units ahead of time if they are not there yet. The request waits for its start, at most
   * the route's `wait`.
   *
   * Not for a sliding window, a sliding log or a concurrency limit. Default: false.
   */
  readonly reserve?: boolean;
  /** Returns the units really used, once the response is over. */
  readonly settle?: SettleFunction<R>;
};

/** One limit of a route: defined with the limiter, or found for each request. */
export type RouteLimit<R, L extends Limits = Limits> = RouteLimitFields<R> &
  (
    | {
        readonly limit: keyof L & string;
        /**
         * The limit itself, such as that of the tenant's plan. Default, and if undefined: the limit
         * defined under this name.
         */
        readonly config?: ValueOrOfRequest<R, Limit | undefined>;
      }
    | { readonly limit: string; readonly config: ValueOrOfRequest<R, Limit> }
  );

/**
 * Options that all limits of a route share. All times are in milliseconds.
 *
 * `Beside` are the values that a runtime passes beside a request.
 */
export type RouteOptions<R, Beside extends readonly unknown[] = readonly []> = {
  /** Returns true for requests that are neither limited nor shed. */
  readonly skip?: OfRequest<R, boolean>;
  /** Decides before any limit is asked. Requests that it refuses are charged nothing. */
  readonly shedder?: Shedder;
  /** How much the request matters to the shedder. Default: `"normal"`. */
  readonly priority?: ValueOrOfRequest<R, Priority>;
  /** Returns the user or tenant that the request belongs to, for the shedder. */
  readonly cohort?: OfRequest<R, string>;
  /** How long the client waits for its response, for the shedder. */
  readonly deadline?: ValueOrOfRequest<R, number>;
  /** Decides and counts but enforces nothing, to try limits out. Default: false. */
  readonly shadow?: boolean;
  /**
   * Refuses or admits a request if a function of the route fails. Default: `"closed"`.
   *
   * A function fails if it throws, rejects, times out, or returns an unusable value. `"closed"`
   * refuses with 500, or 503 after a timeout. `"open"` admits. Both refuse if the store fails. Both
   * refuse with 400 if the request's body lacks what a function reads.
   */
  readonly whenFailed?: "closed" | "open";
  /**
   * How long to wait for a function's promise, or for the store's answer: 1 to an hour.
   *
   * Default: 1000 for functions, 2500 for the store, which has a deadline of its own.
   */
  readonly timeout?: number;
  /**
   * How long a request may wait for its start, under a leaky bucket or `reserve`: 0 to an hour.
   *
   * A request with a later start is refused and charged nothing. Default: 5000.
   */
  readonly wait?: number;
  /**
   * The maximum random delay that is added to waits, in milliseconds: 0 or more. Default: 0.
   *
   * They are added to the `retryAfter` of refusals by limits, and to starts, which stay within
   * `wait`. So clients that wait for the same instant do not return together.
   */
  readonly jitter?: number;
  /** The form of the headers that report what is left. Default: `"draft"`. */
  readonly headers?: HeaderForm | readonly HeaderForm[];
  /**
   * Adds a code of the budget's key to the headers, made with a secret of at least 16 characters.
   * Default: false, no code.
   */
  readonly partitionKey?: PartitionKey | false;
  /** The proxies that are trusted to report where requests come from. Default: none. */
  readonly trust?: Trust;
  /** How many bits of an IPv6 address identify one client: 32 to 64. Default: 64. */
  readonly ipv6Prefix?: number;
  /** Returns the peer address of the connection, if the framework does not know it. */
  readonly peer?: (request: R, ...beside: Beside) => string | undefined;
  /** Receives refusals and failures. */
  readonly onEvent?: OnRouteEvent<R>;
  /** Receives each warning once. Default: the console. */
  readonly warn?: Warn;
};

/**
 * The limits of a route: one, or several that are taken together or not at all. They are listed,
 * or found for each request.
 *
 * A route without limits has a shedder, or `limits: []`.
 */
export type RouteLimits<
  R,
  L extends Limits = Limits,
  Beside extends readonly unknown[] = readonly [],
> = RouteOptions<R, Beside> &
  (
    | (RouteLimit<R, L> & { readonly limits?: never })
    | {
        readonly limits: readonly RouteLimit<R, L>[] | RequestLimits;
        readonly limit?: never;
      }
    | { readonly limits?: never; readonly limit?: never; readonly shedder: Shedder }
  );

/** Settings that many routes share, or those of one of them: they may name no limits. */
export type SharedRoute<R, L extends Limits = Limits> =
  | RouteLimits<R, L>
  | (RouteOptions<R> & { readonly limits?: never; readonly limit?: never });

/** The decisions on a request, which the program finds on the request. */
export type RouteDecision = {
  /** The decision that applies; undefined if no limit was asked. */
  readonly decision: Decision | undefined;
  /**
   * The decision of each limit, in order. If a start is too far away, only those of the limits that
   * refuse.
   */
  readonly decisions: readonly Decision[];
  /**
   * Replaces the units taken under a limit by those really used, at once.
   *
   * Overrides the route's own `settle`. Only the first call has an effect.
   *
   * @param limit The name of the limit. Default: the first. Of limits that are found for each
   * request: the first that took units.
   */
  settle(used: number, limit?: string): MaybePromise<void>;
  /**
   * Keeps the leases of the request after a response that opens a WebSocket. Returns the function
   * that ends them.
   *
   * Any other response ends them all the same.
   */
  hold(): () => void;
};

/** Where adapters put the decision of a request. If several routes decide, the last one counts. */
export type DecidedRequest = { spillway?: RouteDecision };
