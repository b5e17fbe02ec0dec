/**
 * Checks whether lending pays for a limit, by the share of asks that the store still had to decide.
 */
import type { Plan, Warn } from "../../limits/core/index.ts";

/** The number of asks before a judgement. */
const ENOUGH_ASKS = 1000;
/** The maximum number of limits that are counted. */
const MOST_LIMITS = 1000;

type CallCounts = { asks: number; calls: number };

/** Warns once for each limit if more than half of its asks still go to the store. */
export class LendingUsage {
  readonly #warn: Warn;
  /** Undefined once a warning about the limit was given. */
  readonly #limits = new Map<string, CallCounts | undefined>();

  constructor(warn: Warn) {
    this.#warn = warn;
  }

  note(plan: Plan, { asks, calls }: Readonly<CallCounts>): void {
    const { limit } = plan;
    if (asks === 0 || (this.#limits.size >= MOST_LIMITS && !this.#limits.has(limit))) return;
    if (!this.#limits.has(limit)) this.#limits.set(limit, { asks: 0, calls: 0 });
    const counted = this.#limits.get(limit);
    if (counted === undefined) return;
    counted.asks += asks;
    counted.calls += calls;
    if (counted.asks >= ENOUGH_ASKS) this.#judge(plan, counted);
  }

  #judge({ limit, family }: Plan, { asks, calls }: CallCounts): void {
    const pays = calls <= asks / 2;
    this.#limits.set(limit, pays ? { asks: 0, calls: 0 } : undefined);
    if (pays) return;
    this.#warn(
      `limit "${limit}": the store was called for ${calls} of ${asks} asks, although units ` +
        "are lent. A share pays off if " +
        `${family.name === "leases" ? PLACES_PAY : UNITS_PAY}; otherwise leave \`share\` out`,
    );
  }
}

const UNITS_PAY =
  "a key is requested at least eight times a second and has 100 units of capacity per process";
const PLACES_PAY = "a key is requested again within two seconds and is rarely full";
