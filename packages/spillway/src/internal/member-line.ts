import { Line, type Linked } from "./line.ts";

/** Where a member stands. */
interface Place<T> extends Linked<Place<T>> {
  readonly member: T;
}

/** Which end of a line is that goes first: who came first, or who came last. */
export type End = "oldest" | "newest";

/** A line of members that know nothing of it. Any of them leaves in a few steps, however many there are. */
export class MemberLine<T> {
  readonly #line = new Line<Place<T>>();
  readonly #places = new Map<T, Place<T>>();

  get length(): number {
    return this.#line.length;
  }

  get first(): T | undefined {
    return this.#line.first?.member;
  }

  get last(): T | undefined {
    return this.#line.last?.member;
  }

  has(member: T): boolean {
    return this.#places.has(member);
  }

  /** Joins the line at its end. */
  join(member: T): void {
    const place = { member, before: undefined, behind: undefined };
    this.#places.set(member, place);
    this.#line.join(place);
  }

  /** Leaves the line, from wherever it stands; false where it is not in it. */
  leave(member: T): boolean {
    const place = this.#places.get(member);
    if (place === undefined) return false;
    this.#places.delete(member);
    this.#line.leave(place);
    return true;
  }

  /** Takes out one of an end; undefined where there is none. */
  take(end: End): T | undefined {
    const member = end === "oldest" ? this.first : this.last;
    if (member !== undefined) this.leave(member);
    return member;
  }

  /** Takes out the oldest ones, at most so many. */
  takeOldest(count: number): T[] {
    return Array.from({ length: Math.min(count, this.length) }, () => this.take("oldest") as T);
  }

  /** Goes through all, from an end on. */
  *from(end: End): Generator<T> {
    const isOldest = end === "oldest";
    let place = isOldest ? this.#line.first : this.#line.last;
    for (; place !== undefined; place = isOldest ? place.behind : place.before) yield place.member;
  }
}
