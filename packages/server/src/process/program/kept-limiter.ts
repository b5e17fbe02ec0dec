import type { Limit, Limits } from "spillway";

/** A limiter that is kept up to date: a `RateLimiter` on any store. */
export type UpdatedLimiter = {
  readonly limits: Limits;
  update(limits: { readonly [name: string]: Limit | null }): void;
};

/**
 * A limiter whose limits follow rules. Only what has changed is defined anew: a definition ends
 * what `setMode` has set for its limit.
 */
export class KeptLimiter {
  readonly #limiter: UpdatedLimiter;
  /** The definitions that the limiter has been given, by name. */
  #given: ReadonlyMap<string, Limit>;
  /** The program's own definitions of limits that the rules define too. */
  readonly #own = new Map<string, Limit>();

  /** @param isGiven Whether a definition is one of the rules, and not the program's own. */
  constructor(limiter: UpdatedLimiter, isGiven: (limit: Limit) => boolean) {
    this.#limiter = limiter;
    this.#given = new Map(Object.entries(limiter.limits).filter(([, limit]) => isGiven(limit)));
  }

  /** Gives the limiter other limits. Nothing changes if it refuses one. @throws SpillwayError */
  follow(limits: Limits): void {
    const next = new Map(Object.entries(limits));
    const known = new Map(Object.entries(this.#limiter.limits));
    const removed = [...this.#given.keys()].filter((name) => !next.has(name) && known.has(name));
    const changed = [...next].filter(([name, limit]) => this.#given.get(name) !== limit);
    const own = changed.filter(([name]) => known.has(name) && !this.#given.has(name));
    const changes = new Map<string, Limit | null>(changed);
    for (const name of removed) changes.set(name, this.#own.get(name) ?? null);
    if (changes.size > 0) this.#limiter.update(Object.fromEntries(changes));
    for (const [name] of own) this.#own.set(name, known.get(name) as Limit);
    for (const name of removed) this.#own.delete(name);
    this.#given = next;
  }
}
