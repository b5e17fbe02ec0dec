/** Delays requests until their start, and refuses requests whose start is too late. */

import {
  chain,
  type MaybePromise,
  type StopSignal,
  systemRandom,
  together,
} from "../../internal/index.ts";
import { type AnyLimiter, sleepBy, spread } from "../../limiter/index.ts";
import { alarm, type Decision, elapsed, refused } from "../../limits/core/index.ts";
import { startsLater } from "./ask-kind.ts";
import { ClientGone } from "./entrance.ts";
import { PendingStarts } from "./pending-starts.ts";
import type { RouteLimit } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import { amountOf, type TakeResult, takingOf } from "./taking.ts";

/** Whether a limit may give later starts. Limits found for each request may. Pure. */
export function mayQueue<R>(limiter: AnyLimiter, one: RouteLimit<R>): boolean {
  const { limit, config, reserve = false } = one;
  return typeof config === "function" || startsLater(limiter, { limit, config, reserve });
}

/** The limiter, the longest wait for a start in milliseconds, and the pending requests. */
type QueueingContext = {
  readonly limiter: AnyLimiter;
  readonly wait: number;
  readonly pending: PendingStarts;
};

/** Returns a function that takes from limits whose admitted requests wait for their start. */
export function takingInQueue(
  limiter: AnyLimiter,
  { timeout, wait }: { timeout: number; wait: number },
) {
  const pending = new PendingStarts(limiter);
  const refuse = (asks: readonly RouteAsk[]) => tooFar({ limiter, wait, pending }, asks);
  const take = takingOf(limiter, { timeout, refuse });
  return (asks: readonly RouteAsk[]) => pending.during(asks, () => take(asks));
}

/**
 * Returns a refusal if a start is later than `wait` milliseconds from now; undefined if all starts
 * are soon enough.
 *
 * This is decided before anything is charged. A start can't be given back later: two requests would
 * then start at the same instant.
 */
function tooFar(
  { limiter, wait, pending }: QueueingContext,
  asks: readonly RouteAsk[],
): MaybePromise<TakeResult | undefined> {
  const queued = asks.filter((ask) => startsLater(limiter, ask));
  const checks = together(queued, (ask: RouteAsk) => limiter.check(ask.limit, amountOf(ask)));
  return chain(checks, (decisions) => {
    const refused = queued.flatMap((ask, index) => {
      const found = decisions[index] as Decision;
      // There is no queue without the store, where `whenUnavailable` has decided, or under a limit
      // that is not enforced.
      const isQueued = found.ok && !found.degraded && found.mode === undefined;
      const delay = isQueued ? pending.delay(ask, found) : 0;
      const start = { ...found, retryAfter: found.retryAfter + delay };
      const isFar = start.ok && start.retryAfter > wait;
      return isFar ? [{ ask, decision: refusalOf(start, wait) }] : [];
    });
    return refused.length === 0 ? undefined : refusedBy(refused);
  });
}

/** Refuses with the time after which the start would be near enough. */
function refusalOf(found: Decision, wait: number): Decision {
  return refused(found, { reason: "limited", retryAfter: found.retryAfter - wait });
}

type RefusedAsk = { readonly ask: RouteAsk; readonly decision: Decision };

/** Returns a refusal for which nothing was taken. The longest wait decides. */
function refusedBy(all: readonly RefusedAsk[]): TakeResult {
  const asks = all.map(({ ask }) => ask);
  const decisions = all.map(({ decision }) => decision);
  const decision = decisions.reduce((a, b) => (b.retryAfter > a.retryAfter ? b : a));
  const refused = [...new Set(asks.map(({ limit }) => limit))];
  return { asks, decision, decisions, refused, lease: undefined };
}

/**
 * Returns the result with a random addition to its wait, up to `jitter`. A start stays within
 * `wait`.
 */
export function spreadStart(
  taken: TakeResult,
  { jitter, wait }: { readonly jitter: number; readonly wait: number },
): TakeResult {
  if (jitter === 0) return taken;
  const { ok, retryAfter } = taken.decision;
  const most = ok ? Math.min(jitter, Math.max(0, wait - retryAfter)) : jitter;
  return { ...taken, decision: spread(taken.decision, { random: systemRandom, jitter: most }) };
}

/**
 * Waits `ms` milliseconds for a start, as long as the client stays connected. @throws ClientGone
 */
export async function untilStart(ms: number, signal: StopSignal | undefined): Promise<void> {
  try {
    // This timer keeps the process alive, so that a closing server still answers the requests it
    // admitted.
    await sleepBy({ elapsed, alarm }, ms, signal);
  } catch {
    throw new ClientGone();
  }
}
