/** Checks servers and routes. */
import { type RouteLimits, requestLimitsOf } from "../../http/guard/index.ts";
import { badOption, checkFunction } from "../../internal/index.ts";
import type { ConnectionRoute, EventSource } from "../contracts.ts";

const OF_RESPONSES = ["headers", "partitionKey", "trust"] as const;

/** @throws SpillwayError `bad-option` if the value is not a server */
export function checkServer(server: EventSource): void {
  if (typeof server?.emit !== "function") {
    throw badOption("server", server, "a server of node:net, node:http, node:https or node:tls");
  }
}

/**
 * Checks that a route has a limit, because a forgotten limit would admit everything. @throws
 * SpillwayError `bad-option`
 */
export function checkLimited<R>(route: RouteLimits<R>): void {
  const { limit, limits, shedder } = route ?? {};
  checkListed(limits);
  if (limit !== undefined || shedder !== undefined) return;
  if (!Array.isArray(limits) || limits.length === 0) {
    throw badOption("limits", limits, 'a limit, as in { limit: "connections" }, or several');
  }
}

/** Refuses limits that are found for each request: a connection has no path, and no response. */
function checkListed(limits: unknown): void {
  const all: readonly unknown[] = Array.isArray(limits) ? limits : [limits];
  const found = all.find((one) => requestLimitsOf({ limits: one }) !== undefined);
  if (found === undefined) return;
  const hint =
    'Limit connections by a limit of the limiter, as in { limit: "connections" }. ' +
    "watchRules() takes its numbers from rule files";
  throw badOption(
    "limits",
    "limits that are found for each request, such as rules()",
    "limits that a route lists",
    { hint },
  );
}

/** Returns the part of a route that a guard understands. @throws SpillwayError `bad-option` */
export function routeOfConnections<S>(route: ConnectionRoute<S>): RouteLimits<S> {
  checkLimited(route as RouteLimits<S>);
  for (const field of OF_RESPONSES) {
    if (route[field] === undefined) continue;
    throw badOption(field, route[field], "nothing: a connection has no request and no response");
  }
  const { maxPending: _, lastWords, ...rest } = route;
  checkFunction("lastWords", lastWords);
  return { ...rest, headers: [], partitionKey: false };
}
