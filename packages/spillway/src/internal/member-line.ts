import { Line, type ListNode } from "./line.ts";

/** A node of the list, with its member. */
interface LineNode<T> extends ListNode<LineNode<T>> {
  readonly member: T;
}

/** The end of a line that is served first: the oldest member, or the newest. */
export type LineEnd = "oldest" | "newest";

/** A queue whose members need no fields for it. Any member can leave in constant time. */
export class MemberLine<T> {
  readonly #line = new Line<LineNode<T>>();
  readonly #places = new Map<T, LineNode<T>>();

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

  /** Adds a member at the end. */
  join(member: T): void {
    const place = { member, before: undefined, behind: undefined };
    this.#places.set(member, place);
    this.#line.join(place);
  }

  /** Removes a member from any position. Returns false if it is not in the line. */
  leave(member: T): boolean {
    const place = this.#places.get(member);
    if (place === undefined) return false;
    this.#places.delete(member);
    this.#line.leave(place);
    return true;
  }

  /** Removes and returns the member at an end; undefined if the line is empty. */
  take(end: LineEnd): T | undefined {
    const member = end === "oldest" ? this.first : this.last;
    if (member !== undefined) this.leave(member);
    return member;
  }

  /** Removes and returns the oldest members, at most `count`. */
  takeOldest(count: number): T[] {
    return Array.from({ length: Math.min(count, this.length) }, () => this.take("oldest") as T);
  }

  /** Iterates over all members, beginning at an end. */
  *from(end: LineEnd): Generator<T> {
    const isOldest = end === "oldest";
    let place = isOldest ? this.#line.first : this.#line.last;
    for (; place !== undefined; place = isOldest ? place.behind : place.before) yield place.member;
  }
}
