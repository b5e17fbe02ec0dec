/** The leases of one request: one secret for all of them, and an id of its own on each budget. */
import { createHash, randomBytes } from "node:crypto";
import {
  type Budget,
  budgetId,
  type Decision,
  type LeaseAsk,
  type LeaseRef,
  type Store,
} from "spillway/core";
import type { HeldLease } from "../contracts.ts";
import { hasLeases, isLeased } from "../targets/kinds.ts";
import type { Target, TargetBudget } from "../targets/target.ts";

/** A lease on one budget. */
export type LeaseOn = { readonly budget: Budget; readonly lease: LeaseRef };

const SECRET_BYTES = 16;

/** Draws what a request asks leases with, and knows which of them it has got. */
export class RequestLeases {
  readonly #secret = randomBytes(SECRET_BYTES).toString("base64url");
  readonly #holders = new Set<Target>();

  /** The lease to ask a budget for. */
  on(budget: Budget): LeaseAsk {
    return { id: leaseId(this.#secret, budget), headroom: 0 };
  }

  /** Is called when all of some targets were taken from. */
  taken(targets: readonly Target[], decisions: ReadonlyMap<Target, readonly Decision[]>): void {
    for (const target of targets) {
      const own = decisions.get(target) as readonly Decision[];
      const isHolder = target.budgets.some(
        (budget, index) => isLeased(budget) && !isBlind(budget, own[index] as Decision),
      );
      if (isHolder && target.count > 0) this.#holders.add(target);
    }
  }

  /** The lease that the request has; undefined where it holds nothing. */
  heldBy(all: readonly (Target | undefined)[]): HeldLease | undefined {
    if (this.#holders.size === 0) return undefined;
    const without = all.flatMap((target, place) =>
      target !== undefined && hasLeases(target) && !this.#holders.has(target) ? [place] : [],
    );
    const marks = without.map((place) => `.${place.toString(PLACES)}`);
    return {
      name: this.#secret + marks.join(""),
      ttl: ttlOf(leasesNamed(this.#secret, this.#all)),
    };
  }

  /** Gives back what is held, for a request that is refused all the same. */
  abandon(store: Store): void {
    for (const { budget, lease } of leasesNamed(this.#secret, this.#all)) {
      const released = store.execute({ verb: "release", budgets: [budget], lease });
      // Where that fails time frees the units.
      Promise.resolve(released).catch(() => {});
    }
  }

  get #all(): readonly Target[] {
    return [...this.#holders];
  }
}

/** Places of descriptors are written in this base. */
const PLACES = 36;

/** The secret in front, then the places of descriptors that lead to leases and have got none. */
export const LEASE_PATTERN = "^[A-Za-z0-9_-]{22}(?:\\.[0-9a-z]{1,3}){0,1000}$";

/** The leases that a name stands for, on the budgets that the request's descriptors lead to. */
export function leasesOf(name: string, all: readonly (Target | undefined)[]): readonly LeaseOn[] {
  const [secret = "", ...marks] = name.split(".");
  const without = new Set(marks.map((mark) => Number.parseInt(mark, PLACES)));
  const holders = all.filter((target, place) => target !== undefined && !without.has(place));
  return leasesNamed(secret, holders as readonly Target[]);
}

/** The shortest time that any of some leases lasts, in milliseconds. */
export function ttlOf(leases: readonly LeaseOn[]): number {
  return leases.reduce((least, { budget }) => Math.min(least, budget.plan.period), Infinity);
}

/** What several targets hold on one budget is one lease. */
function leasesNamed(secret: string, holders: readonly Target[]): readonly LeaseOn[] {
  const found = new Map<string, LeaseOn>();
  for (const { budgets, count } of holders) {
    for (const { plan, key, settings } of budgets.filter(isLeased)) {
      const budget = { plan, key, settings };
      const id = budgetId(budget);
      const units = count + (found.get(id)?.lease.count ?? 0);
      if (units > 0)
        found.set(id, { budget, lease: { id: leaseId(secret, budget), count: units } });
    }
  }
  return [...found.values()];
}

/**
 * The first 53 bits of a digest: who knows an id on one budget knows none on another, nor the secret.
 */
function leaseId(secret: string, budget: Budget): number {
  const digest = createHash("sha256").update(secret).update(budgetId(budget), "utf16le").digest();
  return Number(digest.readBigUInt64BE() >> 11n);
}

/** What `"open"` admits without the store is held nowhere. */
function isBlind({ settings }: TargetBudget, { degraded }: Decision): boolean {
  return degraded === true && settings.whenUnavailable === "open";
}
