/** The limits of watched rules, and the limiters that have them. */
import type { Limit, Limits } from "spillway";
import { KeptLimiter, type UpdatedLimiter } from "./kept-limiter.ts";
import { checkKinds, type ProgramLimits } from "./limits-of-rules.ts";
import type { Troubles } from "./troubles.ts";

export type { UpdatedLimiter } from "./kept-limiter.ts";

/** The names of limits that have changed, and all limits since. */
export type LimitsChange = {
  readonly limits: Limits;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

export type KeptLimitsOptions = {
  readonly onChange: (change: LimitsChange) => void;
  /** Receives what limiters could not take, and its end. */
  readonly troubles: Pick<Troubles, "set">;
};

/** Keeps limiters up to date. A set of limits is used whole, in one turn of the event loop. */
export class KeptLimits {
  readonly #options: KeptLimitsOptions;
  readonly #kept = new Map<UpdatedLimiter, KeptLimiter>();
  /** All definitions that programs may have been given. */
  readonly #given = new WeakSet<Limit>();
  #limits: Limits = Object.freeze({});
  #isOpen = true;

  constructor(first: ProgramLimits, options: KeptLimitsOptions) {
    this.#options = options;
    this.#use(first.limits);
  }

  /** The limits in use. */
  get limits(): Limits {
    return this.#limits;
  }

  /** Gives a limiter the limits, now and after each change. @throws SpillwayError `wrong-kind` */
  keep(limiter: UpdatedLimiter): void {
    if (this.#kept.has(limiter)) return;
    const kept = new KeptLimiter(limiter, (limit) => this.#given.has(limit));
    kept.follow(this.#limits);
    if (this.#isOpen) this.#kept.set(limiter, kept);
  }

  /**
   * Puts other limits into use. Nothing changes if a limit has another kind.
   *
   * @throws RulesError
   */
  replace(next: ProgramLimits): void {
    if (!this.#isOpen) return;
    checkKinds(this.#limits, next);
    const change = this.#use(next.limits);
    const refusals = [...this.#kept.values()].flatMap((kept) => this.#follow(kept));
    this.#options.troubles.set("limiters", [...new Set(refusals)].join("\n") || undefined);
    const { added, changed, removed } = change;
    if (added.length + changed.length + removed.length > 0) this.#options.onChange(change);
  }

  /** Changes nothing any more. The limiters keep their limits. */
  close(): void {
    this.#isOpen = false;
    this.#kept.clear();
  }

  /**
   * Returns what a limiter refuses. It keeps its own limits, and does not keep the new ones from
   * others.
   */
  #follow(kept: KeptLimiter): readonly string[] {
    try {
      kept.follow(this.#limits);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  /** Keeps the objects of equal definitions, so that they can be compared as objects. */
  #use(given: Limits): LimitsChange {
    const before = new Map(Object.entries(this.#limits));
    const next = Object.entries(given).map(([name, limit]) => {
      const known = before.get(name);
      const isSame = known !== undefined && JSON.stringify(known) === JSON.stringify(limit);
      return [name, isSame ? known : limit] as const;
    });
    for (const [, limit] of next) this.#given.add(limit);
    this.#limits = Object.freeze(Object.fromEntries(next));
    const names = new Set(next.map(([name]) => name));
    return {
      limits: this.#limits,
      added: [...names].filter((name) => !before.has(name)),
      changed: next.filter(isOther(before)).map(([name]) => name),
      removed: [...before.keys()].filter((name) => !names.has(name)),
    };
  }
}

function isOther(before: ReadonlyMap<string, Limit>) {
  return ([name, limit]: readonly [string, Limit]) =>
    before.has(name) && before.get(name) !== limit;
}
