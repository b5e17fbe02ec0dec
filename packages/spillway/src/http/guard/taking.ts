/** What a route takes from its limits: all of it or nothing; what comes too late is given back. */

import { abandon, chain, isPromised, type Maybe } from "../../internal/index.ts";
import type { AnyLimiter, Lease } from "../../limiter/index.ts";
import type { Decision, Limit } from "../../limits/core/index.ts";
import { called } from "./calls.ts";
import { checkReservable, isOfLeases, queues } from "./kind-of-ask.ts";
import { checkSignalOf } from "./request-signal.ts";
import type { RouteAsk } from "./route-asks.ts";

type Budget = { readonly key: string; readonly config?: Limit };
type Amount = Budget & { readonly count: number; readonly reserve?: boolean };

/** What was asked for a request, and what the answer was. */
export type Taken = {
  readonly asks: readonly RouteAsk[];
  readonly decision: Decision;
  readonly decisions: readonly Decision[];
  /** The names of the limits that refused. */
  readonly refused: readonly string[];
  readonly lease: Lease | undefined;
};

/** How a route takes from its limits. */
type Taking = {
  /** How long the store's answer is waited for, in milliseconds. */
  readonly timeout: number;
  /** What refuses asks before anything is taken, if anything does. */
  readonly refuse: ((asks: readonly RouteAsk[]) => Maybe<Taken | undefined>) | undefined;
};

/** Makes a function that asks the limiter, and waits no longer than `timeout`. */
export function takingOf(
  limiter: AnyLimiter,
  { timeout, refuse }: Taking,
): (asks: readonly RouteAsk[]) => Maybe<Taken> {
  const late = (taken: Taken) => giveBack(limiter, taken);
  const sought = { field: "store", timeout, late };
  if (refuse === undefined) return (asks) => called(sought, takeAll, limiter, asks);
  const takeUnrefused = (from: AnyLimiter, asks: readonly RouteAsk[]) =>
    chain(refuse(asks), (refused) => refused ?? takeAll(from, asks));
  return (asks) => called(sought, takeUnrefused, limiter, asks);
}

function takeAll(limiter: AnyLimiter, asks: readonly RouteAsk[]): Maybe<Taken> {
  checkSignalOf(asks);
  for (const ask of asks) if (ask.reserve) checkReservable(limiter, ask);
  const [only] = asks;
  if (only === undefined || asks.length > 1) {
    return chain(limiter.limitAll(asks.map(jointAsk)), (answer) => {
      const { decisions, refused, lease } = answer;
      return { asks, decision: answer, decisions, refused, lease };
    });
  }
  if (isOfLeases(limiter, only)) {
    return chain(limiter.acquire(only.limit, amountOf(only)), (lease) => one(asks, lease, lease));
  }
  const answer = limiter.limit(only.limit, amountOf(only));
  return isPromised(answer) ? answer.then((decision) => one(asks, decision)) : one(asks, answer);
}

const NONE: readonly string[] = [];

function one(asks: readonly RouteAsk[], decision: Decision, lease?: Lease): Taken {
  const refused = decision.ok ? NONE : [decision.limit];
  return { asks, decision, decisions: [decision], refused, lease: decision.ok ? lease : undefined };
}

function jointAsk(ask: RouteAsk) {
  return { limit: ask.limit, ...amountOf(ask) };
}

/** What is asked, and under which key. Pure. */
export function amountOf({ key, count, config, reserve }: RouteAsk): Amount {
  const amount = config === undefined ? { key, count } : { key, count, config };
  return reserve ? { ...amount, reserve } : amount;
}

/** Whose budget. Pure. */
export function budgetOf({ key, config }: RouteAsk): Budget {
  return config === undefined ? { key } : { key, config };
}

function hasLaterStart(decision: Decision | undefined): boolean {
  return decision !== undefined && decision.retryAfter > 0;
}

/** Nobody waits for it any more. What can't be given back comes back by itself. */
export function giveBack(limiter: AnyLimiter, { asks, decision, decisions, lease }: Taken): void {
  if (!decision.ok) return;
  if (lease !== undefined) abandon(lease.release());
  for (const [index, ask] of asks.entries()) {
    if (isOfLeases(limiter, ask) || decisions[index]?.degraded) continue;
    // Whoever came behind has its start already: the next one would have that of the last.
    if (queues(limiter, ask) || hasLaterStart(decisions[index])) continue;
    const settled = limiter.settle(ask.limit, { ...budgetOf(ask), reserved: ask.count, used: 0 });
    abandon(settled);
  }
}
