/** Limits whose admitted asks start one after the other: what a route has to wait for. */
import { alarm, type Decision, elapsed } from "../../core/index.ts";
import type { StopSignal } from "../../internal/index.ts";
import { sleepBy } from "../../limiter/index.ts";
import { ClientGone } from "./entrance.ts";
import { queues } from "./kind-of-ask.ts";
import { chain, type Maybe, together } from "./maybe.ts";
import type { RouteLimit } from "./route.ts";
import type { RouteAsk } from "./route-asks.ts";
import { type AnyLimiter, amountOf, type Taken } from "./taking.ts";

/** Whether a limit queues, or may where it is found for each request. Pure. */
export function mayQueue<R>(limiter: AnyLimiter, { limit, config }: RouteLimit<R>): boolean {
  return typeof config === "function" || queues(limiter, { limit, config });
}

/**
 * The refusal of asks whose starts are further away than a request waits; undefined where none is. It is found before
 * anything is charged: a place in the queue can't be given back without two starts at one instant.
 */
export function tooFar(
  limiter: AnyLimiter,
  asks: readonly RouteAsk[],
  wait: number,
): Maybe<Taken | undefined> {
  const queued = asks.filter((ask) => queues(limiter, ask));
  const checks = together(queued, (ask: RouteAsk) => limiter.check(ask.limit, amountOf(ask)));
  return chain(checks, (decisions) => {
    const index = decisions.findIndex(({ ok, retryAfter }) => ok && retryAfter > wait);
    if (index < 0) return undefined;
    return refusedFor(queued[index] as RouteAsk, decisions[index] as Decision, wait);
  });
}

function refusedFor(ask: RouteAsk, found: Decision, wait: number): Taken {
  const retryAfter = found.retryAfter - wait;
  const decision: Decision = { ...found, ok: false, reason: "limited", retryAfter };
  const refused = [ask.limit];
  return { asks: [ask], decision, decisions: [decision], refused, lease: undefined };
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
