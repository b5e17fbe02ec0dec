/** What a route can say of its limits: the same words in every framework. */
import type { Maybe } from "../../internal/index.ts";
import type { Decision, Limit, Limits, Warn } from "../../limits/core/index.ts";
import type { Priority, Shedder } from "../../shedding/index.ts";
import type { HeaderForm, KeyPart, PartitionKey, Trust } from "../headers/index.ts";
import type { Client } from "./client.ts";
import type { OnRouteEvent } from "./events.ts";

/** A function of a request, which may be asynchronous. */
export type OfRequest<R, T> = (request: R, client: Client) => Maybe<T>;

/** A value, or a function that finds it for a request. */
export type ValueOrOfRequest<R, T> = T | OfRequest<R, T>;

/**
 * Whose budget: values and functions of the request, joined so that parts can't run into each other.
 *
 * One function may give all parts. A part that is undefined is an error, not everybody's budget.
 */
export type RouteKey<R> =
  | ValueOrOfRequest<R, KeyPart | readonly KeyPart[]>
  | readonly ValueOrOfRequest<R, KeyPart>[];

/** How a response ended. */
export type Outcome = {
  /** Its status. */
  readonly status: number;
  /** Whether all of it was sent; false where the client went away, or the connection broke. */
  readonly finished: boolean;
};

/**
 * What was really used: units, `"reset"` to forget all that the key has used, undefined for what was taken;
 * or a promise of it.
 *
 * Called once for each request that was admitted, when its response is over, and only where that was
 * begun: whoever goes away before it pays in full.
 */
export type Settle<R> = (outcome: Outcome, request: R) => Maybe<number | "reset" | undefined>;

type RouteLimitFields<R> = {
  /** Whose budget. Default: the client's address. For one budget for all, any text. */
  readonly key?: RouteKey<R>;
  /** Units to take: a whole number. Default: 1. */
  readonly count?: ValueOrOfRequest<R, number>;
  /**
   * Take ahead of time what is not there yet: the request waits for its start, at most the route's `wait`. Not for a sliding
   * window, a sliding log or a concurrency limit. Default: false.
   */
  readonly reserve?: boolean;
  /** What was really used, by the response. */
  readonly settle?: Settle<R>;
};

/** One limit of a route: defined with the limiter, or found for each request. */
export type RouteLimit<R, L extends Limits = Limits> = RouteLimitFields<R> &
  (
    | {
        readonly limit: keyof L & string;
        /** The limit itself, as by the tenant's plan; undefined for the one that is defined. */
        readonly config?: ValueOrOfRequest<R, Limit | undefined>;
      }
    | { readonly limit: string; readonly config: ValueOrOfRequest<R, Limit> }
  );

/** What is the same for all limits of a route, and what a runtime passes beside a request. All times are milliseconds. */
export type RouteOptions<R, Beside extends readonly unknown[] = readonly []> = {
  /** Requests that are neither limited nor shed. */
  readonly skip?: OfRequest<R, boolean>;
  /** Decides before any limit is asked; what it refuses is charged nothing. */
  readonly shedder?: Shedder;
  /** How much the request matters to the shedder. Default: `"normal"`. */
  readonly priority?: ValueOrOfRequest<R, Priority>;
  /** Whose request it is for the shedder. */
  readonly cohort?: OfRequest<R, string>;
  /** How long the client waits, for the shedder. */
  readonly deadline?: ValueOrOfRequest<R, number>;
  /** Decides and counts, and enforces nothing: for trying it. Default: false. */
  readonly shadow?: boolean;
  /**
   * What to do when a function of the route throws, rejects, takes too long, or returns what can't
   * be used: refuse with 500 (503 where it took too long), or admit. Default: `"closed"`.
   */
  readonly whenFailed?: "closed" | "open";
  /**
   * How long a function's promise, or the store's answer, is waited for: to an hour. Default: 1000, and 2500 for the store, which
   * has a deadline of its own.
   */
  readonly timeout?: number;
  /**
   * How long a request waits for the start that a leaky bucket or `reserve` gives it: 0 to an hour. A later start is
   * refused, and charged nothing. Default: 5000.
   */
  readonly wait?: number;
  /**
   * Adds up to so many random milliseconds to the `retryAfter` of what limits refuse, and to starts that are waited for,
   * within `wait`: many who wait for one instant do not come at once. Default: 0.
   */
  readonly jitter?: number;
  /** How what is left is reported. Default: `"draft"`. */
  readonly headers?: HeaderForm | readonly HeaderForm[];
  /**
   * Has the headers say whose budget it is, as a code under a secret of at least 16 characters. Default: false, they
   * don't.
   */
  readonly partitionKey?: PartitionKey | false;
  /** Who is believed to say where requests come from. Default: nobody. */
  readonly trust?: Trust;
  /** How many bits of an IPv6 address are one client's: 32 to 64. Default: 64. */
  readonly ipv6Prefix?: number;
  /** The other end of the connection, where the framework does not know it. */
  readonly peer?: (request: R, ...beside: Beside) => string | undefined;
  /** Receives what is refused, and what fails. */
  readonly onEvent?: OnRouteEvent<R>;
  /** Where warnings go, each once. Default: the console. */
  readonly warn?: Warn;
};

/** The limits of a route: one, several that are taken together or not at all, or none. */
export type RouteLimits<
  R,
  L extends Limits = Limits,
  Beside extends readonly unknown[] = readonly [],
> = RouteOptions<R, Beside> &
  (
    | (RouteLimit<R, L> & { readonly limits?: never })
    | { readonly limits: readonly RouteLimit<R, L>[]; readonly limit?: never }
    | { readonly limits?: never; readonly limit?: never }
  );

/** What became of a request's limits, on the request. */
export type RouteDecision = {
  /** What decided; undefined where no limit was asked. */
  readonly decision: Decision | undefined;
  /** The answer of each limit, in order. */
  readonly decisions: readonly Decision[];
  /**
   * Says what was really used of a limit, in place of what was taken; at once. In place of the route's own
   * `settle`, and only the first time.
   *
   * @param limit Its name. Default: the first.
   */
  settle(used: number, limit?: string): Maybe<void>;
  /**
   * Has the leases of the request last beyond an answer that opens a WebSocket, until the function is called that is
   * returned. Any other answer ends them all the same.
   */
  hold(): () => void;
};

/** Where adapters put the decision of a request; of its last route where there are several. */
export type DecidedRequest = { spillway?: RouteDecision };
