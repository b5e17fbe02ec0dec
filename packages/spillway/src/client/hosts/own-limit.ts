/**
 * A client's own limits. Units are taken before a request is sent; leases are released after its
 * response.
 */

import {
  badObject,
  badOption,
  chain,
  checkFunction,
  type MaybePromise,
  textFrom,
} from "../../internal/index.ts";
import type { AnyLimiter, JointAnswer } from "../../limiter/index.ts";
import { type Decision, isConcurrency } from "../../limits/core/index.ts";

/** The decision of the client's own limits. */
export type OwnLimitResult = {
  readonly decision: Decision;
  /** Milliseconds after which to try again. */
  readonly wait: number;
  /** Releases the leases; further calls do nothing. Undefined if there are none. */
  readonly release: (() => void) | undefined;
};

/** Takes the units that a request to a host needs. */
export type TakeOwn = (host: string) => MaybePromise<OwnLimitResult>;

/** The options that name a client's own limits. */
export type OwnOptions = {
  readonly limiter?: AnyLimiter | undefined;
  readonly limit?: string | readonly string[] | undefined;
  readonly key?: string | ((host: string, limit: string) => string) | undefined;
};

/**
 * Milliseconds until the next attempt to take a lease, if the decision has no estimate. Other
 * processes may release one at any time.
 */
const LEASES_EVERY = 500;

/**
 * Returns the function that takes from a client's own limits; undefined if it has none.
 *
 * @throws SpillwayError `bad-option`. The returned function throws `unknown-limit`, among others.
 */
export function ownLimits({ limiter, limit, key }: OwnOptions): TakeOwn | undefined {
  if (limiter === undefined && limit === undefined) return undefined;
  if (limiter === undefined) throw badObject("limiter", limiter, "the limiter whose limit it is");
  const names = typeof limit === "string" ? [limit] : limit;
  const areNames = Array.isArray(names) && names.length > 0;
  if (!areNames) throw badOption("limit", limit, "the name of a limit of the limiter, or several");
  if (typeof key !== "string") checkFunction("key", key, "text, or a function that returns it");
  const keyOf = checkedKey(key);
  const isLease = (name: string) => {
    const known = limiter.limits[name];
    return known !== undefined && isConcurrency(known);
  };
  const [only] = names;
  if (names.length === 1 && !isLease(only as string)) return rate(limiter, only as string, keyOf);
  return (host) => {
    const asks = names.map((limit) => ({ limit, key: keyOf(host, limit) }));
    const joint = limiter.limitAll(asks);
    const takenOf = (joint: JointAnswer): OwnLimitResult => {
      const { lease, decisions } = joint;
      const waits = decisions.map((decision, index) =>
        isLease(names[index] as string) ? soon(decision) : decision.retryAfter,
      );
      const wait = joint.ok ? 0 : Math.max(...waits);
      return { decision: joint, wait, release: lease && (() => void lease.release()) };
    };
    return chain(joint, takenOf);
  };
}

/**
 * Refuses keys that are not text. Otherwise `undefined`, for example, would be one budget for all
 * hosts.
 */
function checkedKey(key: OwnOptions["key"]): (host: string, limit: string) => string {
  if (typeof key === "string") return () => key;
  if (key === undefined) return (host) => host;
  return (host, limit) => textFrom("key", key(host, limit));
}

function soon({ ok, retryAfter, estimatedRetryAfter = LEASES_EVERY }: Decision): number {
  return ok ? 0 : Math.min(retryAfter, estimatedRetryAfter);
}

function rate(
  limiter: AnyLimiter,
  limit: string,
  keyOf: (host: string, limit: string) => string,
): TakeOwn {
  const takenOf = (decision: Decision): OwnLimitResult => ({
    decision,
    wait: decision.retryAfter,
    release: undefined,
  });
  return (host) => {
    return chain(limiter.limit(limit, { key: keyOf(host, limit) }), takenOf);
  };
}
