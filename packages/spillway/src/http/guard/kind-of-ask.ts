/** What kind of limit is asked: one that is defined, or that was found for a request. All pure. */
import { noReservations } from "../../limiter/index.ts";
import {
  isConcurrency,
  type Limit,
  type Limits,
  RATE_KINDS,
  type RateKind,
} from "../../limits/core/index.ts";
import type { RouteAsk } from "./route-asks.ts";

type Known = { readonly limits: Limits };
type Asked = Pick<RouteAsk, "limit" | "config">;

/** Whether what it admits is in flight under a lease. */
export function isOfLeases(limiter: Known, ask: Asked): boolean {
  const limit = limitOf(limiter, ask);
  return limit !== undefined && isConcurrency(limit);
}

/** Whether what it admits has to wait for its start. What is found for a request may be no limit. */
export function queues(limiter: Known, ask: Asked): boolean {
  return RATE_KINDS[limitOf(limiter, ask)?.kind as RateKind]?.queues === true;
}

/** Whether what it admits may have to wait for its start. */
export function startsLater(limiter: Known, ask: Asked & Pick<RouteAsk, "reserve">): boolean {
  return ask.reserve || queues(limiter, ask);
}

/** Refuses to reserve under a kind that can't promise a start. @throws SpillwayError `no-reservations` */
export function checkReservable(limiter: Known, ask: Asked): void {
  const limit = limitOf(limiter, ask);
  const traits = RATE_KINDS[limit?.kind as RateKind];
  if (limit === undefined || traits?.holds) return;
  throw noReservations({ limit: ask.limit, kind: limit.kind }, true);
}

function limitOf({ limits }: Known, { limit, config }: Asked): Limit | undefined {
  return config ?? limits[limit];
}
