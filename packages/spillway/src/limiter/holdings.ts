/** What is held by asks that were admitted, alone or together. */
import type { Ask, Decision, JointDecision, Merged, Mode, Store } from "../limits/core/index.ts";
import type { JointAnswer } from "./contracts.ts";
import { over } from "./hand-out.ts";
import type { Holding } from "./lease.ts";

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
  const refused = asks.flatMap(({ plan, lease }) => (lease === undefined ? [] : plan.limit));
  const decisions = joint.decisions.map((decision) =>
    refused.includes(decision.limit) ? over(decision) : decision,
  );
  return { ...joint, ...refusal, limit: refused[0] ?? joint.limit, refused, decisions };
}
