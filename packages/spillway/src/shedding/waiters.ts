import type { Priority } from "../internal/index.ts";
import { Standby } from "./standby.ts";
import { type Old, type QueuedWork, WaitQueue } from "./wait-queue.ts";

/** All work that was not started when it asked: what is in line, and what stands by. */
export class Waiters<W extends QueuedWork> {
  readonly #line = new WaitQueue<W>();
  readonly #standby = new Standby<W>();
  #earliest = Number.POSITIVE_INFINITY;

  /** How many wait, in line or standing by. */
  get length(): number {
    return this.#line.length + this.#standby.length;
  }

  /** How many are in line. */
  get inLine(): number {
    return this.#line.length;
  }

  /** Since when the one waits that has been in line for longest; undefined where nobody is. */
  get oldest(): number | undefined {
    return this.#line.oldest;
  }

  /** Before this instant nobody who waits is late; Infinity where nobody can be. */
  get earliest(): number {
    return this.#earliest;
  }

  /** Adds one, in line unless it stands by; returns the one that stood by and has to go for it. */
  add(one: W): W | undefined {
    this.#earliest = Math.min(this.#earliest, one.until);
    return one.isStandby ? this.#standby.add(one) : this.#line.add(one);
  }

  /** Takes out the one whose turn it is; see `WaitQueue` for the border. */
  takeNext(border: Priority | undefined): W | undefined {
    return this.#line.takeNext(border) ?? this.#standby.takeNext();
  }

  /** Takes out those for whose answers nobody waits any more. */
  takeLate(now: number): readonly W[] {
    // Asked before each start: only what has to be is looked through.
    if (now < this.#earliest) return [];
    const late = [...this.#line.takeLate(now), ...this.#standby.takeLate(now)];
    this.#earliest = Math.min(this.#line.earliest, this.#standby.earliest);
    return late;
  }

  /** Takes out those that stand by since before an instant. */
  takeStandbyBefore(since: number): readonly W[] {
    return this.#standby.takeBefore(since);
  }

  /** Takes out those in line since before an instant, from a priority down. */
  takeBefore(old: Old): readonly W[] {
    return this.#line.takeBefore(old);
  }

  /** Takes out as many as are in line since before an instant: the least important first. */
  takeForThoseBefore(since: number): readonly W[] {
    return this.#line.takeForThoseBefore(since);
  }

  /** Takes out what is critical, and in line since before an instant. */
  takeCriticalBefore(since: number): readonly W[] {
    return this.#line.takeCriticalBefore(since);
  }

  /** Takes out one; returns whether it still waited. */
  remove(one: W): boolean {
    return one.isStandby ? this.#standby.remove(one) : this.#line.remove(one);
  }

  /** Takes out the oldest in line of the least important, if they matter less than a priority. */
  takeLessThan(priority: Priority): W | undefined {
    return this.#line.takeLessThan(priority);
  }
}
