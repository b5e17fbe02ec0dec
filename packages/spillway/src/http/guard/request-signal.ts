/**
 * Checks whether a disconnected client is noticed before its response. Workers need a flag for
 * this.
 */
import { lacksFlag } from "../../internal/index.ts";
import type { AnyLimiter } from "../../limiter/index.ts";
import { isConcurrency, type Limit, SpillwayError } from "../../limits/core/index.ts";
import type { RouteLimit, RouteOptions } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";

const FLAG = "enable_request_signal";
const isDeaf = lacksFlag(FLAG);

/**
 * Refuses shedders, and limits with leases, if a disconnected client would not be noticed.
 *
 * A lease would stay taken for its `ttl`, a shedder's place for good.
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

/**
 * Checks limits that were found for a request in the same way. @throws SpillwayError
 * `no-request-signal`
 */
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
    expected: "this worker does not report disconnected clients, so their leases would stay held",
    hint: `Add "${FLAG}" to the worker's compatibility flags`,
  });
}
