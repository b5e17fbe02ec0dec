import { type Budget, type Plan, SpillwayError, type Store } from "../../limits/core/index.ts";
import { checkRegions, type Region, type Regions } from "./options.ts";
import { partPlans } from "./parts.ts";

/** A region, and its position among the parts of each limit. */
export type IndexedRegion = {
  readonly name: string;
  readonly store: Store;
  readonly index: number;
};

/** The present regions, and the part of each budget in each of them. */
export class RegionLayout {
  readonly near: IndexedRegion;
  readonly far: readonly IndexedRegion[];
  readonly #weights: readonly number[];
  readonly #hold: number;
  readonly #plans = new WeakMap<Plan, readonly Plan[]>();

  constructor(regions: Regions, { here, hold }: { readonly here: string; readonly hold: number }) {
    // Ordered by name, independent of the order in a program.
    const names = Object.keys(regions).sort();
    const places = names.map((name, index) => {
      return { name, index, store: (regions[name] as Region).store };
    });
    this.near = places[names.indexOf(here)] as IndexedRegion;
    this.far = places.filter(({ name }) => name !== here);
    this.#weights = names.map((name) => (regions[name] as Region).part);
    this.#hold = hold;
  }

  /**
   * Returns the layout of other regions. @throws SpillwayError `bad-region`, `bad-store`,
   * `unknown-field`
   */
  changed(regions: Regions): RegionLayout {
    const here = this.near.name;
    checkRegions(regions, here);
    return new RegionLayout(regions, { here, hold: this.#hold });
  }

  get all(): readonly IndexedRegion[] {
    return [this.near, ...this.far];
  }

  /**
   * Returns a budget's part in a region. @throws SpillwayError `bad-region`, `bad-shards`,
   * `inexact-limit`
   */
  part<B extends Budget>(budget: B, { index }: IndexedRegion): B {
    return { ...budget, plan: this.#partsOf(budget)[index] as Plan };
  }

  /**
   * Returns the maximum number of units that one region can ever have: its part, and half of each
   * other part.
   */
  most(budget: Budget): number {
    const lent = this.far.map((place) => {
      const { share, capacity } = this.part(budget, place).plan;
      return share > 0 ? Math.floor(capacity / 2) : 0;
    });
    return lent.reduce((all, units) => all + units, this.part(budget, this.near).plan.capacity);
  }

  #partsOf({ plan, settings }: Budget): readonly Plan[] {
    const known = this.#plans.get(plan);
    if (known !== undefined) return known;
    if ((settings?.shards ?? 1) > 1) {
      throw new SpillwayError({
        code: "bad-shards",
        limit: plan.limit,
        field: "shards",
        value: settings?.shards,
        expected: "1 over several regions: units are lent from one budget",
        hint: "Leave shards out",
      });
    }
    const made = partPlans(plan, this.#weights, this.#hold);
    this.#plans.set(plan, made);
    return made;
  }
}
