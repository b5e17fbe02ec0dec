import { type Decision, type Mode, refused } from "../limits/core/index.ts";
import { type Grant, Lease } from "./lease.ts";

/** What comes of a lease that was granted. */
export type Handing<M extends Mode, T> = {
  readonly inTime: (lease: Lease<M>) => T;
  /** Its time was over before it could be handed out: nothing is held. */
  readonly tooLate: (refusal: Decision) => T;
};

/**
 * Hands out a lease that was granted. One whose time may be over by now, as where the process stood
 * still, is renewed first, and refused where that is too late.
 */
export function handOut<M extends Mode, T>(
  grant: Grant<M>,
  { inTime, tooLate }: Handing<M, T>,
): T | Promise<T> {
  const lease = new Lease(grant);
  if (!lease.isOver) return inTime(lease);
  return Promise.resolve(lease.renew())
    .catch(() => false)
    .then((isHeld) => {
      if (isHeld) return inTime(lease);
      lease.release();
      return tooLate(over(grant.decision));
    });
}

/** The store has answered, and the answer was worth nothing when it was read. */
export function over(decision: Decision): Decision {
  return refused(decision, { remaining: 0, retryAfter: 1, reason: "unavailable", degraded: true });
}
