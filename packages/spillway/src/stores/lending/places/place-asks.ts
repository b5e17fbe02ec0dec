/** One ask for places, part of which may be here, and what comes of it. */
import type { Ask, Decision } from "../../../limits/core/index.ts";
import type { Reading } from "../readings.ts";
import { keptPlan } from "./kept-plan.ts";
import type { PlaceKey } from "./place-key.ts";
import type { Part } from "./stock.ts";

/** A call that is under way. Units that are here are taken out for it: no other call gets them. */
export type PlaceAsk = {
  readonly key: PlaceKey;
  readonly ask: Ask;
  readonly parts: readonly Part[];
  /** What the store is to be asked for; undefined where all is here. */
  readonly rest: Ask | undefined;
  readonly sent: Reading;
  readonly generation: number;
  /** Whether what is granted is handed out here: not to an id that is in use. */
  readonly isOurs: boolean;
};

/** What a call needs in all: its units, and those that it has to leave. */
function needOf({ count, lease }: Pick<Ask, "count" | "lease">): number {
  return Math.max(1, count) + (lease?.headroom ?? 0);
}

/** Units that are here: taken out for a call, and left beside that. */
type Here = { readonly taken: number; readonly idle: number };

/** What the store is to be asked for: with what is here it need not have all. Undefined where it need have nothing. */
export function restOf(ask: Ask, { taken, idle }: Here): Ask | undefined {
  const count = ask.count - taken;
  const lacking = needOf(ask) - taken - idle;
  if (count === 0 && lacking <= 0) return undefined;
  const headroom = Math.max(0, lacking - Math.max(1, count));
  const lease = ask.lease && { ...ask.lease, headroom };
  return { ...ask, plan: keptPlan(ask.plan), count, lease };
}

/** Whether there can ever be enough; else the store says so. */
function isPossible(ask: Ask): boolean {
  return needOf(ask) <= ask.plan.capacity;
}

/**
 * Begins a call: what is here of it is taken out.
 *
 * @param id What the store is to call a lease that it grants. The store never receives the asker's own id: a lease that is
 *   over here can't be renewed there.
 */
export function begin(
  key: PlaceKey,
  ask: Ask,
  { id, now }: { id: number; now: Reading },
): PlaceAsk {
  const isOurs = ask.lease !== undefined && !key.has(ask.lease.id);
  const isServed = isOurs && isPossible(ask);
  const parts = isServed ? key.take(ask.count, now) : [];
  const lease = isOurs && ask.lease !== undefined ? { ...ask.lease, id } : ask.lease;
  const here = { taken: unitsOf(parts), idle: isServed ? key.idle : 0 };
  const rest = restOf({ ...ask, lease }, here);
  key.asked({ isSent: rest !== undefined });
  return { key, ask, parts, rest, sent: now, generation: key.generation, isOurs };
}

/** What the store is to be asked where a call is only checked; undefined where all is here. */
export function restOfCheck(key: PlaceKey | undefined, ask: Ask): Ask | undefined {
  const idle = key !== undefined && isPossible(ask) ? key.idle : 0;
  const taken = Math.min(idle, ask.count);
  return restOf(ask, { taken, idle: idle - taken });
}

/** What is answered to a call that was only checked; `ok` is whether all that was asked with it would be admitted. */
export function checked(
  key: PlaceKey,
  ask: Ask,
  { decision, ok, now }: Outcome & { readonly now: Reading },
): Decision {
  const here = decision ?? { ...key.admitted(now), remaining: key.leftThere };
  if (here.reason === "blocked" || here.degraded) return here;
  const idle = ok ? Math.max(0, key.idle - ask.count) : key.idle;
  return { ...here, remaining: Math.min(here.capacity, here.remaining + idle) };
}

/** What the store has said of a call, and whether it was admitted with all that it was asked with. */
export type Outcome = { readonly decision: Decision | undefined; readonly ok: boolean };

/** Ends a call, and hands out what was admitted. */
export function finish(one: PlaceAsk, { decision, ok }: Outcome, now: Reading): Decision {
  const { key, ask, parts, rest, isOurs } = one;
  if (decision !== undefined) key.answered(decision, now);
  if (!ok || isBlind(ask, decision)) key.stock.putBack(parts, now);
  else if (ask.lease !== undefined && isOurs && ask.count > 0) {
    const fresh = rest === undefined || rest.count === 0 ? [] : [granted(one, decision)];
    key.handOut(ask.lease.id, [...parts, ...fresh], now);
  }
  if (decision === undefined) return key.admitted(now);
  if (decision.reason === "blocked" || decision.degraded) return decision;
  return { ...decision, remaining: key.remaining };
}

/** There was no answer: what the store may have granted, nobody holds. */
export function abandon({ key, parts, rest }: PlaceAsk, now: Reading): void {
  if (rest !== undefined) key.answered(undefined, now);
  key.stock.putBack(parts, now);
}

/** What is granted without the store, or before all was to go back, is not handed out again. */
function granted(one: PlaceAsk, decision: Decision | undefined): Part {
  const { key, rest, sent, generation } = one;
  const isKept = key.mayKeep && generation === key.generation && !decision?.degraded;
  return key.stock.add({
    id: rest?.lease?.id as number,
    units: rest?.count as number,
    sent,
    isKept,
  });
}

/** What `"open"` admits without the store is held nowhere. */
function isBlind({ settings }: Ask, decision: Decision | undefined): boolean {
  return decision?.degraded === true && settings?.whenUnavailable === "open";
}

function unitsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { units }) => sum + units, 0);
}
