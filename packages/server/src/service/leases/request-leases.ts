/** The leases of one request: they share a secret, and have an id of their own on each budget. */
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

/** Creates the leases that a request asks for, and records those that are granted. */
export class RequestLeases {
  readonly #secret = randomBytes(SECRET_BYTES).toString("base64url");
  readonly #holders = new Set<Target>();

  /** Returns the lease to ask a budget for. */
  on(budget: Budget): LeaseAsk {
    return { id: leaseId(this.#secret, budget), headroom: 0 };
  }

  /** Called when all of some targets were taken from. */
  taken(targets: readonly Target[], decisions: ReadonlyMap<Target, readonly Decision[]>): void {
    for (const target of targets) {
      const own = decisions.get(target) as readonly Decision[];
      const isHolder = target.budgets.some(
        (budget, index) => isLeased(budget) && !isBlind(budget, own[index] as Decision),
      );
      if (isHolder && target.count > 0) this.#holders.add(target);
    }
  }

  /** Returns the request's lease; undefined if it holds nothing. */
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

  /** Releases everything held, because the request is refused after all. */
  abandon(store: Store): void {
    for (const { budget, lease } of leasesNamed(this.#secret, this.#all)) {
      const released = store.execute({ verb: "release", budgets: [budget], lease });
      // If the release fails, the units are free once the lease expires.
      Promise.resolve(released).catch(() => {});
    }
  }

  get #all(): readonly Target[] {
    return [...this.#holders];
  }
}

/** The radix for positions of descriptors in a lease's name. */
const PLACES = 36;

/** The secret, then the positions of descriptors with concurrency limits that were not granted. */
export const LEASE_PATTERN = "^[A-Za-z0-9_-]{22}(?:\\.[0-9a-z]{1,3}){0,1000}$";

/** Returns the leases that a name stands for, on the budgets of the request's descriptors. */
export function leasesOf(name: string, all: readonly (Target | undefined)[]): readonly LeaseOn[] {
  const [secret = "", ...marks] = name.split(".");
  const without = new Set(marks.map((mark) => Number.parseInt(mark, PLACES)));
  const holders = all.filter((target, place) => target !== undefined && !without.has(place));
  return leasesNamed(secret, holders as readonly Target[]);
}

/** Returns the shortest duration of some leases, in milliseconds. */
export function ttlOf(leases: readonly LeaseOn[]): number {
  return leases.reduce((least, { budget }) => Math.min(least, budget.plan.period), Infinity);
}

/** Several targets hold one lease on a common budget. */
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
 * Returns the first 53 bits of a digest: an id on one budget reveals neither the secret nor any
 * other id.
 */
function leaseId(secret: string, budget: Budget): number {
  const digest = createHash("sha256").update(secret).update(budgetId(budget), "utf16le").digest();
  return Number(digest.readBigUInt64BE() >> 11n);
}

/** Units that `"open"` admits without the store are not held by a lease. */
function isBlind({ settings }: TargetBudget, { degraded }: Decision): boolean {
  return degraded === true && settings.whenUnavailable === "open";
}
