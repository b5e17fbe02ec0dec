/** Has units go back that are about to end unused: else they count as used, and are missing for longer. */
import { Schedule } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import { MOST_IN_TURN } from "./in-slices.ts";
import type { LentKey } from "./lent-key.ts";
import type { Readings } from "./readings.ts";

/** What has to be left of the time for which units are held, for them to arrive: such a part of it, or so many ms. */
const PART = 0.1;
const LONGEST = 100;
/** What ends later is seen by a later call, so that no key is kept for long that is forgotten meanwhile. */
const SOON = 2000;

export type EndingsSettings = {
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  /** Receives a key of which units are to go back with the next draw, which is to be made now. */
  readonly due: (key: LentKey) => void;
};

/** Watches when shares end that end soon, by one timer for the first of them. */
export class Endings {
  readonly #settings: EndingsSettings;
  readonly #watched = new WeakSet<LentKey>();
  readonly #schedule = new Schedule<LentKey>();
  /** For what instant the timer is that counts; Infinity where there is none. */
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(settings: EndingsSettings) {
    this.#settings = settings;
  }

  /** To be called when units were lent, and once a second. */
  watch(key: LentKey): void {
    if (this.#watched.has(key)) return;
    const margin = marginOf(key);
    const now = this.#now();
    const left = key.holder.nextEnding - now - margin;
    if (left > SOON) return;
    this.#watched.add(key);
    this.#schedule.add({ at: now + (left > 0 ? left : margin), item: key });
    this.#arm();
  }

  #now(): number {
    return this.#settings.readings.now().elapsed;
  }

  #arm(): void {
    const at = this.#schedule.next;
    if (at >= this.#armedFor) return;
    this.#armedFor = at;
    const left = Math.max(0, Math.ceil(at - this.#now()));
    this.#settings.scheduler.afterDelay(left, () => {
      // Another was needed sooner, and has gone off.
      if (this.#armedFor === at) this.#goOff();
    });
  }

  /** A timer counts from when its turn began, so it may go off early: then the rest is waited for. */
  #goOff(): void {
    const now = this.#now();
    try {
      for (let left = MOST_IN_TURN; left > 0 && this.#schedule.next <= now; left--) {
        const key = this.#schedule.take() as LentKey;
        this.#watched.delete(key);
        this.#see(key);
      }
    } finally {
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.#arm();
    }
  }

  #see(key: LentKey): void {
    if (key.isGone) return;
    // What is under way may say of these units that they are still held.
    if (key.flight !== undefined) {
      key.flight.then(() => this.#see(key));
      return;
    }
    if (key.giveUpEnding(marginOf(key), this.#settings.readings.now())) this.#settings.due(key);
    this.watch(key);
  }
}

function marginOf({ budget }: LentKey): number {
  return Math.min(LONGEST, budget.plan.share * PART);
}
