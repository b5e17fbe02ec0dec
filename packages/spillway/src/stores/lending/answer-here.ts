import type { Decision, Plan } from "../../limits/core/index.ts";
import type { Wait } from "./shortage.ts";

/** What is left of a key, and the milliseconds until it is fully reset. */
type Left = { readonly remaining: number; readonly resetAfter: number };

/** What is answered without the store: that a call is admitted, or refused where it has to wait. */
export function answerHere(
  { limit, capacity }: Plan,
  { remaining, resetAfter }: Left,
  wait?: Wait,
): Decision {
  return {
    ok: wait === undefined,
    limit,
    capacity,
    remaining,
    retryAfter: wait === undefined ? 0 : wait.ms,
    resetAfter,
    reason: wait?.reason,
    degraded: undefined,
  };
}
