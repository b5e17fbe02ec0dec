import { type Decision, decisionOf, type Reason } from "../../limits/core/index.ts";
import type { HostPacer } from "../pace/host-pacer.ts";

/** The facts from which a refusal of a request to a host is built. */
export type LocalRefusal = {
  readonly name: string;
  readonly pace: HostPacer;
  readonly reason: Reason;
  /** The present instant, by the scheduler's clock. */
  readonly now: number;
  /** Milliseconds until any request may be sent. */
  readonly wait: number;
  /** Milliseconds left of the wait that the server has named; 0 or less if it is over. */
  readonly said: number;
  /** The number of requests that wait already. */
  readonly waiting: number;
};

/** Returns the decision that refuses to send a request to a host. */
export function refusalOf({
  name,
  pace,
  reason,
  now,
  wait,
  said,
  waiting,
}: LocalRefusal): Decision {
  const least = pace.quotas.toSorted((one, other) => one.spare - other.spare)[0];
  const { rate } = pace.speed(now, waiting);
  const queue = rate > 0 && rate < Number.POSITIVE_INFINITY ? waiting / rate : 0;
  const retryAfter = Math.ceil(Math.max(wait, queue));
  const limit = { limit: name, capacity: least?.capacity ?? 0 };
  const remaining = Math.floor(least?.spare ?? 0);
  const resetAfter = Math.ceil(Math.max(retryAfter, said, (least?.back?.late ?? now) - now));
  return decisionOf(limit, { remaining, retryAfter, resetAfter, reason });
}
