/** Requests whose start is later: how long they wait, and which are refused because it is too far away. */

import {
  chain,
  type Maybe,
  type StopSignal,
  systemRandom,
  together,
} from "../../internal/index.ts";
import { type AnyLimiter, sleepBy, spread } from "../../limiter/index.ts";
import { alarm, type Decision, elapsed, refused } from "../../limits/core/index.ts";
import { ClientGone } from "./entrance.ts";
import { startsLater } from "./kind-of-ask.ts";
import { PendingStarts } from "./pending-starts.ts";
import type { RouteLimit } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import { amountOf, type Taken, takingOf } from "./taking.ts";

/** Whether a limit gives starts that are later, or may where it is found for each request. Pure. */
export function mayQueue<R>(limiter: AnyLimiter, one: RouteLimit<R>): boolean {
  const { limit, config, reserve = false } = one;
  return typeof config === "function" || startsLater(limiter, { limit, config, reserve });
}

/** Whose starts, how long a request waits for one at most in milliseconds, and what others are about to take. */
type Queueing = {
  readonly limiter: AnyLimiter;
  readonly wait: number;
  readonly pending: PendingStarts;
};

/** Makes a function that asks the limits of a route that has requests wait for their start. */
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
 * The refusal of asks whose starts are further away than a request waits; undefined where none is. It is found before
 * anything is charged: a start can't be given back without two at one instant.
 */
function tooFar(
  { limiter, wait, pending }: Queueing,
  asks: readonly RouteAsk[],
): Maybe<Taken | undefined> {
  const queued = asks.filter((ask) => startsLater(limiter, ask));
  const checks = together(queued, (ask: RouteAsk) => limiter.check(ask.limit, amountOf(ask)));
  return chain(checks, (decisions) => {
    const refused = queued.flatMap((ask, index) => {
      const found = decisions[index] as Decision;
      // Without the store nobody is ahead: the limit's `whenUnavailable` has decided.
      const delay = found.ok && !found.degraded ? pending.delay(ask, found) : 0;
      const start = { ...found, retryAfter: found.retryAfter + delay };
      const isFar = start.ok && start.retryAfter > wait;
      return isFar ? [{ ask, decision: refusalOf(start, wait) }] : [];
    });
    return refused.length === 0 ? undefined : refusedBy(refused);
  });
}

/** A request may start so much later that its start is near enough. */
function refusalOf(found: Decision, wait: number): Decision {
  return refused(found, { reason: "limited", retryAfter: found.retryAfter - wait });
}

type RefusedAsk = { readonly ask: RouteAsk; readonly decision: Decision };

/** Nothing was taken. The longest wait decides. */
function refusedBy(all: readonly RefusedAsk[]): Taken {
  const asks = all.map(({ ask }) => ask);
  const decisions = all.map(({ decision }) => decision);
  const decision = decisions.reduce((a, b) => (b.retryAfter > a.retryAfter ? b : a));
  const refused = [...new Set(asks.map(({ limit }) => limit))];
  return { asks, decision, decisions, refused, lease: undefined };
}

/** The same with its wait spread, by a route's `jitter`: a start no further than a request waits. */
export function spreadStart(
  taken: Taken,
  { jitter, wait }: { readonly jitter: number; readonly wait: number },
): Taken {
  if (jitter === 0) return taken;
  const { ok, retryAfter } = taken.decision;
  const most = ok ? Math.min(jitter, Math.max(0, wait - retryAfter)) : jitter;
  return { ...taken, decision: spread(taken.decision, { random: systemRandom, jitter: most }) };
}

/** Waits for a start, for as long as the client does. @throws ClientGone */
export async function untilStart(ms: number, signal: StopSignal | undefined): Promise<void> {
  try {
    // A server that closes ends once what it has admitted is answered.
    await sleepBy({ elapsed, alarm }, ms, signal);
  } catch {
    throw new ClientGone();
  }
}
