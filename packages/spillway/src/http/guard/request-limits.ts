/** Limits that are found for each request, such as those of rule files. */

import type { MaybePromise } from "../../internal/index.ts";
import type { Decision, Limit } from "../../limits/core/index.ts";
import type { Header, ProblemDocument } from "../headers/index.ts";
import type { Client } from "./client.ts";

/** A request as the framework reads it. */
export type RequestParts = Client & {
  readonly method: string;
  /** The target as the client sent it, or a whole URL. */
  readonly target: string;
  /** The host with its port; empty if the request names none. */
  readonly host: string;
  /** Returns a header's value. `name` is in lower case. */
  readonly header: (name: string) => string | undefined;
};

/** One limit of a request, and the decision on it. */
export type RequestLimit = {
  readonly limit: string;
  readonly config: Limit;
  readonly key: string;
  readonly decision: Decision;
};

/** The units of a request. All are taken, or none if the `decision` is a refusal. */
export type FoundUnits = {
  readonly decision: Decision;
  /** The limits that the client sees: those that are enforced. */
  readonly limits: readonly RequestLimit[];
  /** Replaces the one unit that was taken from a limit by those really used. */
  readonly settle: (one: RequestLimit, used: number) => MaybePromise<unknown>;
  /** Gives back all that was taken, as far as that is possible. Called once, before `settle`. */
  readonly giveBack: () => MaybePromise<unknown>;
  /** Ends the units in flight, if there are any. Further calls do nothing. It must not throw. */
  readonly end: (() => void) | undefined;
};

/** A request that is refused before any limit is asked, and the answer to it. */
export type RefusedByProblem = {
  readonly problem: ProblemDocument;
  readonly headers: readonly Header[];
};

/**
 * Limits that are found for each request, in place of a route's list, such as `rules()` of
 * `spillway-server`. They keep their own state: the route's limiter is not asked.
 */
export type RequestLimits = {
  /**
   * Takes from all limits of a request, or from none. Returns undefined if it meets no limit.
   *
   * It must answer within the route's `timeout` for stores. Units of a later answer are given back.
   */
  readonly take: (request: RequestParts) => MaybePromise<FoundUnits | RefusedByProblem | undefined>;
};

/** Returns limits that are found for each request; undefined if a route lists its limits. Pure. */
export function requestLimitsOf({ limits }: { limits?: unknown }): RequestLimits | undefined {
  // Frameworks that collect limits from several places make a list of them.
  const one = Array.isArray(limits) && limits.length === 1 ? limits[0] : limits;
  const isOne = typeof (one as Partial<RequestLimits> | undefined)?.take === "function";
  return isOne ? (one as RequestLimits) : undefined;
}
