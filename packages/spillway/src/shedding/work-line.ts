import { Line, type Linked } from "../internal/index.ts";

/** Where a piece of work stands. */
interface Place<W> extends Linked<Place<W>> {
  readonly work: W;
}

/** Work in the order in which it came. Any piece leaves in a few steps, however many wait. */
export class WorkLine<W> {
  readonly #line = new Line<Place<W>>();
  readonly #places = new Map<W, Place<W>>();

  /** How much there is. */
  get length(): number {
    return this.#line.length;
  }

  /** What came first; undefined where there is nothing. */
  get first(): W | undefined {
    return this.#line.first?.work;
  }

  /** Adds work at the end. */
  add(work: W): void {
    const place = { work, before: undefined, behind: undefined };
    this.#places.set(work, place);
    this.#line.join(place);
  }

  /** Takes out one; returns whether it was there. */
  remove(work: W): boolean {
    const place = this.#places.get(work);
    if (place === undefined) return false;
    this.#places.delete(work);
    this.#line.leave(place);
    return true;
  }

  /** Takes out what came first. */
  takeFirst(): W | undefined {
    return this.#taken(this.#line.first);
  }

  /** Takes out what came last. */
  takeLast(): W | undefined {
    return this.#taken(this.#line.last);
  }

  /** Takes out the first, at most so many. */
  take(count: number): W[] {
    const taken: W[] = [];
    for (let left = Math.min(count, this.length); left > 0; left--) {
      taken.push(this.takeFirst() as W);
    }
    return taken;
  }

  /** Goes through all, in order. */
  *[Symbol.iterator](): Iterator<W> {
    for (let place = this.#line.first; place !== undefined; place = place.behind) yield place.work;
  }

  #taken(place: Place<W> | undefined): W | undefined {
    if (place !== undefined) this.remove(place.work);
    return place?.work;
  }
}
