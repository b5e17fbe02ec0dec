/** Two orders made one. Pure. */
import type { Arrival } from "./arrivals.ts";

/** All arrivals of both, the one that is due first first. */
export function* inOrder(
  one: Generator<Arrival, void>,
  other: Generator<Arrival, void>,
): Generator<Arrival, void> {
  let a = one.next();
  let b = other.next();
  while (!a.done || !b.done) {
    const isFirst = b.done || (!a.done && a.value.due <= b.value.due);
    if (isFirst && !a.done) {
      yield a.value;
      a = one.next();
    } else if (!b.done) {
      yield b.value;
      b = other.next();
    }
  }
}
