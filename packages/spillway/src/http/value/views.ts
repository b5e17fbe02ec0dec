import type { LimitView } from "./counting.ts";

/** What is shown of a limit, by the units that are wanted: the same object until something of it changes. */
export class Views {
  readonly #make: (count: number) => LimitView;
  readonly #views = new Map<number, LimitView>();

  constructor(make: (count: number) => LimitView) {
    this.#make = make;
  }

  of(count: number): LimitView {
    const known = this.#views.get(count);
    if (known !== undefined) return known;
    const view = this.#make(count);
    this.#views.set(count, view);
    return view;
  }

  /** Makes all of them anew; returns for how many units there is another one. */
  renew(): ReadonlySet<number> {
    const changed = new Set<number>();
    for (const [count, before] of this.#views) {
      const view = this.#make(count);
      if (isSame(before, view)) continue;
      this.#views.set(count, view);
      changed.add(count);
    }
    return changed;
  }
}

function isSame(one: LimitView, other: LimitView): boolean {
  return (Object.keys(one) as (keyof LimitView)[]).every((field) => one[field] === other[field]);
}
