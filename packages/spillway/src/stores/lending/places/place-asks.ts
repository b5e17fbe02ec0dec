/** One ask for places, some of which may be held here. */
import type { Ask, Decision, Timing } from "../../../limits/core/index.ts";
import { type HeldJointAsk, passedOn } from "../joint.ts";
import type { ClockReading } from "../readings.ts";
import { keptPlan } from "./kept-plan.ts";
import type { LeaseUnits } from "./lease-stock.ts";
import type { PlaceKey } from "./place-key.ts";
import type { PlaceKeys } from "./place-keys.ts";

/** Returns the units that a call needs: its count, and those that must be left. */
function needOf({ count, lease }: Pick<Ask, "count" | "lease">): number {
  return Math.max(1, count) + (lease?.headroom ?? 0);
}

/** Units held here: taken out for a call, and idle beside it. */
type LocalUnits = { readonly taken: number; readonly idle: number };

/**
 * Returns the ask for the store, which needs only what is not held here; undefined if nothing is
 * missing.
 */
function restOf(ask: Ask, { taken, idle }: LocalUnits): Ask | undefined {
  const count = ask.count - taken;
  const lacking = needOf(ask) - taken - idle;
  if (count === 0 && lacking <= 0) return undefined;
  const headroom = Math.max(0, lacking - Math.max(1, count));
  const lease = ask.lease && { ...ask.lease, headroom };
  return { ...ask, plan: keptPlan(ask.plan), count, lease };
}

/** Whether the limit can ever hold as many; otherwise the store refuses. */
function isPossible(ask: Ask): boolean {
  return needOf(ask) <= ask.plan.capacity;
}

/** An ask for places. Places held here are taken out, so that no other call gets them. */
export class PlaceAsk<M extends Timing> implements HeldJointAsk {
  readonly rest: Ask | undefined;
  readonly #keys: PlaceKeys<M>;
  readonly #key: PlaceKey;
  readonly #ask: Ask;
  readonly #parts: readonly LeaseUnits[];
  readonly #sent: ClockReading;
  readonly #generation: number;
  /** Whether granted places are handed out here. Not if the id is already in use. */
  readonly #isOurs: boolean;

  /**
   * @param id Names a lease that the store grants. The store never receives the caller's own id, so
   * a lease that has expired here can't be renewed there.
   */
  constructor(keys: PlaceKeys<M>, ask: Ask, id: number) {
    const [key, now] = [keys.of(ask), keys.now()];
    this.#isOurs = ask.lease !== undefined && !key.has(ask.lease.id);
    const isServed = this.#isOurs && isPossible(ask);
    const parts = isServed ? key.take(ask.count, now) : [];
    const lease = this.#isOurs && ask.lease !== undefined ? { ...ask.lease, id } : ask.lease;
    const here = { taken: unitsOf(parts), idle: isServed ? key.idle : 0 };
    this.rest = restOf({ ...ask, lease }, here);
    key.asked({ isSent: this.rest !== undefined });
    [this.#keys, this.#key, this.#ask, this.#parts] = [keys, key, ask, parts];
    [this.#sent, this.#generation] = [now, key.generation];
    // Expired places go back before the store is asked.
    keys.flush(key);
  }

  /** Hands out what was admitted. */
  end(decision: Decision | undefined, ok: boolean): Decision {
    const [keys, key, now] = [this.#keys, this.#key, this.#keys.now()];
    if (decision !== undefined) key.answered(decision, now);
    if (!ok || isBlind(this.#ask, decision)) key.stock.putBack(this.#parts, now);
    else this.#handOut(decision, now);
    const units = this.rest?.count ?? 0;
    if (ok && units > 0 && !decision?.degraded) keys.drawn(key, units);
    const answer = this.#answer(decision, now);
    keys.flush(key);
    return answer;
  }

  /** Places that the store may have granted are held by no lease. */
  abandon(): void {
    const now = this.#keys.now();
    if (this.rest !== undefined) this.#key.answered(undefined, now);
    this.#key.stock.putBack(this.#parts, now);
    this.#keys.flush(this.#key);
  }

  #handOut(decision: Decision | undefined, now: ClockReading): void {
    const { lease, count } = this.#ask;
    if (lease === undefined || !this.#isOurs || count === 0) return;
    const fresh = this.rest === undefined || this.rest.count === 0 ? [] : [this.#granted(decision)];
    this.#key.handOut(lease.id, [...this.#parts, ...fresh], now);
  }

  #answer(decision: Decision | undefined, now: ClockReading): Decision {
    if (decision === undefined) return this.#key.admitted(now);
    if (decision.reason === "blocked" || decision.degraded) return decision;
    return { ...decision, remaining: this.#key.remaining };
  }

  /** Units granted without the store, or before a give-back, are never handed out again. */
  #granted(decision: Decision | undefined): LeaseUnits {
    const { mayKeep, generation, stock } = this.#key;
    const isKept = mayKeep && generation === this.#generation && !decision?.degraded;
    const [id, units] = [this.rest?.lease?.id as number, this.rest?.count as number];
    return stock.add({ id, units, sent: this.#sent, isKept });
  }
}

/** Answers a check of one of several asks. */
export function checkJointly<M extends Timing>(keys: PlaceKeys<M>, ask: Ask): HeldJointAsk {
  const key = keys.findCurrent(ask);
  const idle = key !== undefined && isPossible(ask) ? key.idle : 0;
  const taken = Math.min(idle, ask.count);
  const rest = restOf(ask, { taken, idle: idle - taken });
  if (key === undefined) return passedOn(rest as Ask);
  const end = (decision: Decision | undefined, ok: boolean) => {
    const here = decision ?? { ...key.admitted(keys.now()), remaining: key.leftThere };
    if (here.reason === "blocked" || here.degraded) return here;
    const left = ok ? Math.max(0, key.idle - ask.count) : key.idle;
    return { ...here, remaining: Math.min(here.capacity, here.remaining + left) };
  };
  return { rest, end };
}

/** Places that `"open"` admits without the store are not held by a lease. */
function isBlind({ settings }: Ask, decision: Decision | undefined): boolean {
  return decision?.degraded === true && settings?.whenUnavailable === "open";
}

function unitsOf(parts: readonly LeaseUnits[]): number {
  return parts.reduce((sum, { units }) => sum + units, 0);
}
