import type { Priority } from "../internal/index.ts";
import { StandbyQueue } from "./standby.ts";
import { type QueuedWork, WaitQueue } from "./wait-queue.ts";

/** All work that was not started when it asked: what is in line, and what stands by. */
export class Waiters<W extends QueuedWork> extends WaitQueue<W> {
  readonly #standby = new StandbyQueue<W>();
  #earliest = Number.POSITIVE_INFINITY;

  /** How many wait, in line or standing by. */
  override get length(): number {
    return super.length + this.#standby.length;
  }

  /** How many are in line. */
  get inLine(): number {
    return super.length;
  }

  /** Before this instant nobody who waits is late; Infinity where nobody can be. */
  override get earliest(): number {
    return this.#earliest;
  }

  /** Adds one, in line unless it stands by; returns the one that stood by and has to go for it. */
  override add(one: W): W | undefined {
    this.#earliest = Math.min(this.#earliest, one.until);
    return one.isStandby ? this.#standby.add(one) : super.add(one);
  }

  /** Takes out the one whose turn it is; one that stands by only where nothing is in line. */
  override takeNext(border: Priority | undefined): W | undefined {
    return super.takeNext(border) ?? this.#standby.takeNext();
  }

  /** Takes out those for whose answers nobody waits any more. */
  override takeLate(now: number): readonly W[] {
    // Asked before each start: only what has to be is looked through.
    if (now < this.#earliest) return [];
    const late = [...super.takeLate(now), ...this.#standby.takeLate(now)];
    this.#earliest = Math.min(super.earliest, this.#standby.earliest);
    return late;
  }

  /** Takes out those that stand by since before an instant. */
  takeStandbyBefore(since: number): readonly W[] {
    return this.#standby.takeBefore(since);
  }

  /** Takes out one; returns whether it still waited. */
  override remove(one: W): boolean {
    return one.isStandby ? this.#standby.remove(one) : super.remove(one);
  }
}
