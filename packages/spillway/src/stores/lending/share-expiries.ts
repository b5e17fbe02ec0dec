/**
 * Gives back units shortly before they expire unused. Otherwise they count as used, and are missing
 * for longer.
 */
import { Schedule } from "../../internal/index.ts";
import type { Scheduler } from "../../limits/core/index.ts";
import { MOST_IN_TURN } from "./in-slices.ts";
import type { LentKey } from "./lent-key.ts";
import type { Readings } from "./readings.ts";

/**
 * The time that giving back needs before the end: a part of the holding time, or a number of
 * milliseconds.
 */
const PART = 0.1;
const LONGEST = 100;
/**
 * Shares that expire later are watched after a later call. So the timer keeps no unused key in
 * memory for a long time.
 */
const SOON = 2000;

export type ShareExpiriesSettings = {
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, "afterDelay">;
  /** Called with a key whose expiring units go back with the next draw, which must be made now. */
  readonly due: (key: LentKey) => void;
};

/** Watches shares that expire soon, with one timer for the first of them. */
export class ShareExpiries {
  readonly #settings: ShareExpiriesSettings;
  readonly #watched = new WeakSet<LentKey>();
  readonly #schedule = new Schedule<LentKey>();
  /** The instant of the current timer; Infinity if there is none. */
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(settings: ShareExpiriesSettings) {
    this.#settings = settings;
  }

  /** Call it when units were lent, and once a second. */
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
      // Otherwise an earlier timer has replaced this one.
      if (this.#armedFor === at) this.#goOff();
    });
  }

  /**
   * Timers count from the start of their turn, so one may fire early. Then the rest is waited for.
   */
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
    // The draw in flight may report these units as still held.
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
