/** Whether a route hears of a client that leaves without an answer: in a worker, only with a flag. */
import { lacksFlag } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { isConcurrency, type Limit, SpillwayError } from "../../limits/core/index.ts";
import type { RouteLimit, RouteOptions } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";

const FLAG = "enable_request_signal";
const isDeaf = lacksFlag(FLAG);

/**
 * Checks what a route holds while it is answered: leases, which would stay for their `ttl`, and places of a shedder,
 * which would stay for good.
 *
 * @throws SpillwayError `no-request-signal`
 */
export function checkSignalFor<R>(
  limiter: AnyLimiter,
  { shedder }: RouteOptions<R>,
  limits: readonly RouteLimit<R>[],
): void {
  if (!isDeaf) return;
  if (shedder !== undefined) throw noSignal();
  for (const { limit, config } of limits) {
    if (typeof config !== "function") checkKind(limit, config ?? limiter.limits[limit]);
  }
}

/** The same for limits that were found for a request. @throws SpillwayError `no-request-signal` */
export function checkSignalOf(asks: readonly RouteAsk[]): void {
  if (!isDeaf) return;
  for (const { limit, config } of asks) checkKind(limit, config);
}

function checkKind(name: string, limit: Limit | undefined): void {
  if (limit !== undefined && isConcurrency(limit)) throw noSignal(name);
}

function noSignal(limit?: string): SpillwayError {
  return new SpillwayError({
    code: "no-request-signal",
    limit,
    expected: "a worker does not hear that a client has gone, so that its place would stay taken",
    hint: `Add "${FLAG}" to the worker's compatibility flags`,
  });
}
