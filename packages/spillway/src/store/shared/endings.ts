/** Has units go back that are about to end unused: else they count as used, and are missing for longer. */
import type { Scheduler } from "../../core/index.ts";
import type { LentKey } from "./lent-key.ts";
import type { Readings } from "./readings.ts";

/** What has to be left of the time for which units are held, for them to arrive: such a part of it, or so many ms. */
const PART = 0.1;
const LONGEST = 100;
/** What ends later is seen by a later call, so that no timer keeps a key for long that is forgotten meanwhile. */
const SOON = 2000;

export type EndingsSettings = {
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  /** Receives a key of which units are to go back with the next draw, which is to be made now. */
  readonly due: (key: LentKey) => void;
};

/** Watches when shares end, by one timer for each key with one that ends soon. */
export class Endings {
  readonly #settings: EndingsSettings;
  readonly #watched = new WeakSet<LentKey>();

  constructor(settings: EndingsSettings) {
    this.#settings = settings;
  }

  /** To be called when units were lent, and once a second. */
  watch(key: LentKey): void {
    if (this.#watched.has(key)) return;
    const { readings, scheduler } = this.#settings;
    const margin = marginOf(key);
    const left = key.holder.nextEnding - readings.now().elapsed - margin;
    if (left > SOON) return;
    this.#watched.add(key);
    // A timer counts from when its turn began, so it may go off early: then the rest is waited for.
    scheduler.afterDelay(left > 0 ? Math.ceil(left) : margin, () => {
      this.#watched.delete(key);
      this.#see(key);
    });
  }

  #see(key: LentKey): void {
    if (key.isGone) return;
    // What is under way may say of these units that they are still held.
    if (key.flight !== undefined) {
      key.flight.then(() => this.#see(key));
      return;
    }
    if (key.endSoon(marginOf(key), this.#settings.readings.now())) this.#settings.due(key);
    this.watch(key);
  }
}

function marginOf({ budget }: LentKey): number {
  return Math.min(LONGEST, budget.plan.share * PART);
}
