import type { Priority } from "../internal/index.ts";
import { StandbyQueue } from "./standby.ts";
import { type QueuedWork, WaitQueue } from "./wait-queue.ts";

/** All work that waits: the queue, and the work on standby. */
export class Waiters<W extends QueuedWork> extends WaitQueue<W> {
  readonly #standby = new StandbyQueue<W>();
  #earliest = Number.POSITIVE_INFINITY;

  /** The number of pieces of work that wait, in the queue or on standby. */
  override get length(): number {
    return super.length + this.#standby.length;
  }

  /** The number of pieces of work in the queue. */
  get inLine(): number {
    return super.length;
  }

  /** An instant before which no deadline passes; `Infinity` if there is no deadline. */
  override get earliest(): number {
    return this.#earliest;
  }

  /**
   * Adds work to the queue or to standby. Returns the work that it displaces from standby, if any.
   */
  override add(one: W): W | undefined {
    this.#earliest = Math.min(this.#earliest, one.until);
    return one.isStandby ? this.#standby.add(one) : super.add(one);
  }

  /** Takes the work whose turn it is; work on standby only if the queue is empty. */
  override takeNext(border: Priority | undefined): W | undefined {
    return super.takeNext(border) ?? this.#standby.takeNext();
  }

  /** Removes and returns the work whose deadline has passed. */
  override takeLate(now: number): readonly W[] {
    // Called before each start, so it searches only if a deadline may have passed.
    if (now < this.#earliest) return [];
    const late = [...super.takeLate(now), ...this.#standby.takeLate(now)];
    this.#earliest = Math.min(super.earliest, this.#standby.earliest);
    return late;
  }

  /** Removes and returns the work that has been on standby since before an instant. */
  takeStandbyBefore(since: number): readonly W[] {
    return this.#standby.takeBefore(since);
  }

  /** Removes a piece of work. Returns whether it still waited. */
  override remove(one: W): boolean {
    return one.isStandby ? this.#standby.remove(one) : super.remove(one);
  }
}
