/** What is held by asks that were admitted, alone or together. */
import {
  type Ask,
  type Decision,
  type JointDecision,
  type Merged,
  type Mode,
  refused,
  type Store,
} from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import type { Holding, Lease } from "./lease.ts";

/** What a lease that was asked for holds, if anything: what `"open"` admits is held nowhere. */
export function holdingOf(ask: Ask, decision: Decision): readonly Holding[] {
  const { plan, key, settings, count, lease } = ask;
  const isBlind = decision.degraded === true && settings?.whenUnavailable === "open";
  if (lease === undefined || count === 0 || !decision.ok || isBlind) return [];
  return [{ budget: { plan, key, settings }, lease: { id: lease.id, count } }];
}

/** What all leases among asks that were taken together hold. */
export function holdingsOf({ asks, places }: Merged, joint: JointDecision): readonly Holding[] {
  return asks.flatMap((ask, place) =>
    ask.lease === undefined
      ? []
      : holdingOf(ask, joint.decisions[places?.indexOf(place) ?? place] as Decision),
  );
}

/**
 * Renews a lease whose time may have been over before it was handed out, as where the process
 * stood still; releases it where that is too late, and returns whether it is held.
 */
export async function isHeldLate<M extends Mode>(lease: Lease<M>): Promise<boolean> {
  const isHeld = await Promise.resolve(lease.renew()).catch(() => false);
  if (!isHeld) lease.release();
  return isHeld;
}

/** The store has answered, and the answer was worth nothing when it was read. */
export function over(decision: Decision): Decision {
  return refused(decision, { remaining: 0, retryAfter: 1, reason: "unavailable", degraded: true });
}

/** Gives back units that were taken together with leases which are over. */
export function compensate<M extends Mode>(store: Store<M>, { asks }: Merged): void {
  for (const ask of asks) {
    if (ask.lease !== undefined || ask.count === 0) continue;
    const settlement = { reserved: ask.count, used: 0 };
    const settled = store.execute({ verb: "settle", budgets: [ask], settlement });
    // Where that fails they come back as after any ask.
    Promise.resolve(settled).catch(() => {});
  }
}

/** What was admitted together, refused for its leases. */
export function refuseAll<M extends Mode>(
  { asks }: Merged,
  joint: JointAnswer<M>,
  refusal: Decision,
): JointAnswer<M> {
  const limits = asks.flatMap(({ plan, lease }) => (lease === undefined ? [] : plan.limit));
  const decisions = joint.decisions.map((decision) =>
    limits.includes(decision.limit) ? over(decision) : decision,
  );
  return { ...joint, ...refusal, limit: limits[0] ?? joint.limit, refused: limits, decisions };
}
