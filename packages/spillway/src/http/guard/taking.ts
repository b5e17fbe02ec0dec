/**
 * Takes from a route's limits: all units or none. If an answer comes too late, its units are given
 * back.
 */

import { abandon, chain, isPromised, type MaybePromise } from "../../internal/index.ts";
import type { AnyLimiter, Lease } from "../../limiter/index.ts";
import { type Decision, type Limit, tookNothing } from "../../limits/core/index.ts";
import { checkReservable, isOfLeases, queues } from "./ask-kind.ts";
import { called } from "./calls.ts";
import { checkSignalOf } from "./request-signal.ts";
import type { RouteAsk } from "./route-asks.ts";

type RouteBudget = { readonly key: string; readonly config?: Limit };
type RouteAmount = RouteBudget & { readonly count: number; readonly reserve?: boolean };

/** The asks of a request, and the answer to them. */
export type TakeResult = {
  readonly asks: readonly RouteAsk[];
  readonly decision: Decision;
  readonly decisions: readonly Decision[];
  /** The names of the limits that refused. */
  readonly refused: readonly string[];
  readonly lease: Lease | undefined;
  /** How limits that are found for each request settle and end what they took. */
  readonly own?: OwnUnits;
};

type OwnUnits = {
  readonly settle: (ask: RouteAsk, used: number) => MaybePromise<unknown>;
  readonly giveBack: () => MaybePromise<unknown>;
  readonly end: (() => void) | undefined;
};

/** How a route takes from its limits. */
type TakeSettings = {
  /** How long to wait for the store's answer, in milliseconds. */
  readonly timeout: number;
  /** Refuses asks before anything is taken. Returns undefined if it does not refuse. */
  readonly refuse:
    | ((asks: readonly RouteAsk[]) => MaybePromise<TakeResult | undefined>)
    | undefined;
};

/** Returns a function that takes from the limiter, and waits at most `timeout` milliseconds. */
export function takingOf(
  limiter: AnyLimiter,
  { timeout, refuse }: TakeSettings,
): (asks: readonly RouteAsk[]) => MaybePromise<TakeResult> {
  const late = (taken: TakeResult) => giveBack(limiter, taken);
  const sought = { field: "store", timeout, late };
  if (refuse === undefined) return (asks) => called(sought, takeAll, limiter, asks);
  const takeUnrefused = (from: AnyLimiter, asks: readonly RouteAsk[]) =>
    chain(refuse(asks), (refused) => refused ?? takeAll(from, asks));
  return (asks) => called(sought, takeUnrefused, limiter, asks);
}

function takeAll(limiter: AnyLimiter, asks: readonly RouteAsk[]): MaybePromise<TakeResult> {
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

function one(asks: readonly RouteAsk[], decision: Decision, lease?: Lease): TakeResult {
  const refused = decision.ok ? NONE : [decision.limit];
  return { asks, decision, decisions: [decision], refused, lease: decision.ok ? lease : undefined };
}

function jointAsk(ask: RouteAsk) {
  return { limit: ask.limit, ...amountOf(ask) };
}

/** Returns the key and the amount of an ask. Pure. */
export function amountOf({ key, count, config, reserve }: RouteAsk): RouteAmount {
  const amount = config === undefined ? { key, count } : { key, count, config };
  return reserve ? { ...amount, reserve } : amount;
}

/** Returns the budget of an ask. Pure. */
export function budgetOf({ key, config }: RouteAsk): RouteBudget {
  return config === undefined ? { key } : { key, config };
}

/**
 * Whether units were taken in the store. A quota without room may be among the limits of an
 * admitted request. Pure.
 */
export function hasTaken(decision: Decision): boolean {
  return decision.ok && !decision.degraded && !tookNothing(decision);
}

/**
 * Gives back units that are no longer needed. If that fails, they come back in time by themselves.
 */
export function giveBack(
  limiter: AnyLimiter,
  { asks, decision, decisions, lease, own }: TakeResult,
): void {
  own?.end?.();
  if (!decision.ok) return;
  if (own !== undefined) {
    abandon(own.giveBack());
    return;
  }
  if (lease !== undefined) abandon(lease.release());
  for (const [index, ask] of asks.entries()) {
    const each = decisions[index] as Decision;
    if (isOfLeases(limiter, ask) || !hasTaken(each)) continue;
    // Later requests already have their starts. After a give-back, the next request would get the
    // same start as the last.
    if (queues(limiter, ask) || each.retryAfter > 0) continue;
    const settled = limiter.settle(ask.limit, { ...budgetOf(ask), reserved: ask.count, used: 0 });
    abandon(settled);
  }
}
