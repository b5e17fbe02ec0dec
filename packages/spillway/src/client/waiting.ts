/** Those who wait to be sent, in the order in which they go. */
import { PRIORITIES, type Priority } from "../shedding/index.ts";

/** Who waits. */
export type Waiting = {
  readonly priority: Priority;
  /** Whether it was sent before: those of its priority that were not come later. */
  readonly isAgain: boolean;
};

/** A queue by priority; first come, first served within one. */
export class WaitingLine<T extends Waiting> {
  readonly #lines: readonly Set<T>[] = PRIORITIES.flatMap(() => [new Set<T>(), new Set<T>()]);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Who goes next. */
  get first(): T | undefined {
    for (const line of this.#lines) for (const one of line) return one;
    return undefined;
  }

  join(one: T): void {
    this.#lineOf(one).add(one);
    this.#length++;
  }

  /** Leaves, from wherever it stands; false where it is not there. */
  leave(one: T): boolean {
    const isHere = this.#lineOf(one).delete(one);
    if (isHere) this.#length--;
    return isHere;
  }

  #lineOf({ priority, isAgain }: T): Set<T> {
    return this.#lines[PRIORITIES.indexOf(priority) * 2 + (isAgain ? 0 : 1)] as Set<T>;
  }
}
