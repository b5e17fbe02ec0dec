import type { LimitView } from "./counting.ts";

/**
 * The shown values of a limit, by wanted units. Returns the same object until one of its values
 * changes.
 */
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

  /** Computes all views again. Returns the counts whose view changed. */
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
