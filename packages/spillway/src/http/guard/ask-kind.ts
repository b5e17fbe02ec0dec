/**
 * Finds the kind of the limit that an ask refers to: a defined limit, or one found for the request.
 * All functions are pure.
 */
import { noReservations } from "../../limiter/index.ts";
import {
  isConcurrency,
  type Limit,
  type Limits,
  RATE_KINDS,
  type RateKind,
} from "../../limits/core/index.ts";
import type { RouteAsk } from "./route-asks.ts";

/** The limits of a limiter, as they are defined now. */
export type DefinedLimits = { readonly limits: Limits };
type LimitReference = Pick<RouteAsk, "limit" | "config">;

/** Whether admitted requests are in flight under a lease. */
export function isOfLeases(limiter: DefinedLimits, ask: LimitReference): boolean {
  const limit = limitOf(limiter, ask);
  return limit !== undefined && isConcurrency(limit);
}

/**
 * Whether every admitted request has to wait for its start. A limit found for a request may be
 * invalid.
 */
export function queues(limiter: DefinedLimits, ask: LimitReference): boolean {
  return RATE_KINDS[limitOf(limiter, ask)?.kind as RateKind]?.queues === true;
}

/** Whether admitted requests may have to wait for their start. */
export function startsLater(
  limiter: DefinedLimits,
  ask: LimitReference & Pick<RouteAsk, "reserve">,
): boolean {
  return ask.reserve || queues(limiter, ask);
}

/**
 * Refuses to reserve under a kind that can't promise a start. @throws SpillwayError
 * `no-reservations`
 */
export function checkReservable(limiter: DefinedLimits, ask: LimitReference): void {
  const limit = limitOf(limiter, ask);
  const traits = RATE_KINDS[limit?.kind as RateKind];
  if (limit === undefined || traits?.holds) return;
  throw noReservations({ limit: ask.limit, kind: limit.kind }, true);
}

function limitOf({ limits }: DefinedLimits, { limit, config }: LimitReference): Limit | undefined {
  return config ?? limits[limit];
}
