import { afterTurn } from "../core/index.ts";

/**
 * Gathers what is asked in one turn of the event loop, by place, so that it can travel together.
 * Nothing waits: what was gathered goes when the turn is over.
 */
export class Turn<T> {
  readonly #go: (place: number, gathered: readonly T[]) => void;
  #gathered = new Map<number, T[]>();

  /** @param go Takes what was gathered for a place, in the order in which it was asked. */
  constructor(go: (place: number, gathered: readonly T[]) => void) {
    this.#go = go;
  }

  /** Adds something to this turn. */
  add(place: number, item: T): void {
    const items = this.#gathered.get(place);
    if (items !== undefined) {
      items.push(item);
      return;
    }
    if (this.#gathered.size === 0) afterTurn(this.#end);
    this.#gathered.set(place, [item]);
  }

  readonly #end = (): void => {
    const gathered = this.#gathered;
    this.#gathered = new Map();
    for (const [place, items] of gathered) this.#go(place, items);
  };
}
