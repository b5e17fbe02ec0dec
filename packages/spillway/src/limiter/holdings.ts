/** The units held by the leases of admitted asks, alone or together. */
import {
  type Ask,
  type AsksByBudget,
  type Decision,
  type JointDecision,
  refused,
  type Store,
  type Timing,
  tookNothing,
} from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import type { Lease, LeaseHolding } from "./lease.ts";

/**
 * Returns what the lease of an ask holds, if anything. An ask admitted by `"open"` without the
 * store holds nothing.
 */
export function holdingOf(ask: Ask, decision: Decision): readonly LeaseHolding[] {
  const { plan, key, settings, count, lease } = ask;
  const isBlind = decision.degraded === true && settings?.whenUnavailable === "open";
  const isHeld = decision.ok && !isBlind && !tookNothing(decision);
  if (lease === undefined || count === 0 || !isHeld) return [];
  const isEnforced = decision.mode === undefined;
  return [{ budget: { plan, key, settings }, lease: { id: lease.id, count }, isEnforced }];
}

/** Returns what all leases among several asks hold. */
export function holdingsOf(
  { asks, places }: AsksByBudget,
  joint: JointDecision,
): readonly LeaseHolding[] {
  return asks.flatMap((ask, place) =>
    ask.lease === undefined
      ? []
      : holdingOf(ask, joint.decisions[places?.indexOf(place) ?? place] as Decision),
  );
}

/**
 * Renews a lease that may have expired before it was handed out, for example because the process
 * was halted. Releases it if that is too late. Returns whether it is held.
 */
export async function isHeldLate<M extends Timing>(lease: Lease<M>): Promise<boolean> {
  const isHeld = await Promise.resolve(lease.renew()).catch(() => false);
  if (!isHeld) lease.release();
  return isHeld;
}

/** Returns the refusal for a lease that expired before the store's answer was read. */
export function over(decision: Decision): Decision {
  return refused(decision, { remaining: 0, retryAfter: 1, reason: "unavailable", degraded: true });
}

/** Gives back units that were taken together with leases that have expired. */
export function compensate<M extends Timing>(
  store: Store<M>,
  { asks, places }: AsksByBudget,
  { decisions }: JointDecision,
): void {
  for (const [place, ask] of asks.entries()) {
    if (ask.lease !== undefined || ask.count === 0) continue;
    if (tookNothing(decisions[places?.indexOf(place) ?? place] as Decision)) continue;
    const settlement = { reserved: ask.count, used: 0 };
    const settled = store.execute({ verb: "settle", budgets: [ask], settlement });
    // If this fails, the units come back by themselves, as after any call.
    Promise.resolve(settled).catch(() => {});
  }
}

/**
 * Converts an admission of several asks to a refusal by their leases. If none of these is of a
 * limit that is enforced, it stays an admission, without a lease.
 */
export function refuseAll<M extends Timing>(
  { asks, places }: AsksByBudget,
  joint: JointAnswer<M>,
  refusal: Decision,
): JointAnswer<M> {
  const limits = asks.flatMap(({ plan, lease }, place) => {
    const { mode } = joint.decisions[places?.indexOf(place) ?? place] as Decision;
    return lease === undefined || mode !== undefined ? [] : plan.limit;
  });
  if (limits.length === 0) return { ...joint, lease: undefined };
  const decisions = joint.decisions.map((decision) =>
    limits.includes(decision.limit) ? over(decision) : decision,
  );
  return { ...joint, ...refusal, limit: limits[0] ?? joint.limit, refused: limits, decisions };
}
