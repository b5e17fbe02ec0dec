import { type Decision, decisionOf, type Reason } from "../../limits/core/index.ts";
import type { HostPacer } from "../pace/host-pacer.ts";

/** What is known of a host where a request is not sent to it. */
export type LocalRefusal = {
  readonly name: string;
  readonly pace: HostPacer;
  readonly reason: Reason;
  /** By the scheduler's clock. */
  readonly now: number;
  /** Milliseconds until anything may be sent. */
  readonly wait: number;
  /** Milliseconds that are left of what the server has said to wait. */
  readonly said: number;
  /** How many wait already. */
  readonly waiting: number;
};

/** Why a request is not sent to a host, as a decision. */
export function refusalOf({
  name,
  pace,
  reason,
  now,
  wait,
  said,
  waiting,
}: LocalRefusal): Decision {
  const least = pace.standings.toSorted((one, other) => one.spare - other.spare)[0];
  const { rate } = pace.speed(now, waiting);
  const queue = rate > 0 && rate < Number.POSITIVE_INFINITY ? waiting / rate : 0;
  const retryAfter = Math.ceil(Math.max(wait, queue));
  const limit = { limit: name, capacity: least?.capacity ?? 0 };
  const remaining = Math.floor(least?.spare ?? 0);
  const resetAfter = Math.ceil(Math.max(retryAfter, said, (least?.back?.late ?? now) - now));
  return decisionOf(limit, { remaining, retryAfter, resetAfter, reason });
}
