import { type Budget, budgetId, type LeaseRef } from "../../limits/core/index.ts";
import type { DeadlineScheduler } from "./options.ts";

/** Milliseconds until a release is sent again: at first, and at most. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1000;
/** Milliseconds between two checks for due releases. */
const LOOK_AGAIN = 100;
/**
 * How often a lease that may still be granted must be found missing before it counts as released.
 */
const MISSED = 5;

/** A release that the store has not confirmed. */
export type PendingRelease = {
  readonly budget: Budget;
  readonly lease: LeaseRef;
  /** Whether the ask for the lease has ended at the store, so that one release is enough. */
  isDecided: boolean;
  /** How often the lease was not found. */
  missed: number;
  /**
   * When the release is sent again, and when it is no longer needed because its lease has expired,
   * by the clock of `elapsed`.
   */
  due: number;
  readonly until: number;
  pause: number;
  isUnderWay: boolean;
};

/** The parts and settings of unconfirmed releases. */
export type PendingReleasesSettings = {
  /** The maximum number of releases kept. */
  readonly most: number;
  /**
   * The maximum number of releases sent at once, for stores in which each one blocks. Default: all
   * that are due.
   */
  readonly mostAtOnce?: number;
  readonly scheduler: Pick<DeadlineScheduler, "elapsed" | "afterDelay">;
  /** Sends a release. Rejects if it was not confirmed. */
  readonly send: (budget: Budget, lease: LeaseRef) => Promise<boolean>;
  /** Whether requests may be sent to the node of a budget. */
  readonly maySend: (budget: Budget) => boolean;
  /** Called for a release that can't be kept. */
  readonly overflowed: (budget: Budget) => void;
};

/**
 * Keeps releases that a store has not confirmed, and sends them again until it has, or until their
 * leases expire.
 *
 * A lease whose ask had no answer may be granted after its release was carried out, over another
 * connection. Such a release is repeated until the ask has ended, or the lease is repeatedly found
 * missing.
 */
export class PendingReleases {
  readonly #settings: PendingReleasesSettings;
  readonly #kept = new Map<string, PendingRelease>();
  #isArmed = false;

  constructor(settings: PendingReleasesSettings) {
    this.#settings = settings;
  }

  /** Keeps the release of a held lease that the store did not confirm. */
  failed(budget: Budget, lease: LeaseRef): void {
    const known = this.#kept.get(nameOf(budget, lease));
    if (known === undefined) this.#keep(budget, lease, true);
  }

  /**
   * Releases a lease that has no holder, but may still be granted.
   *
   * @param isDecided Whether the ask has ended at the store.
   */
  giveBack(budget: Budget, lease: LeaseRef, isDecided: boolean): PendingRelease | undefined {
    const release = this.#keep(budget, lease, isDecided);
    if (release !== undefined) this.#sendIfDue(release, release.due);
    return release;
  }

  /** Records that the ask for a lease has ended at the store, so that the next release is final. */
  decided(release: PendingRelease): void {
    release.isDecided = true;
    release.due = this.#settings.scheduler.elapsed();
  }

  /** The store answers again. */
  resume(): void {
    const now = this.#settings.scheduler.elapsed();
    for (const release of this.#kept.values()) release.due = now;
    this.#look();
  }

  #keep(budget: Budget, lease: LeaseRef, isDecided: boolean): PendingRelease | undefined {
    if (this.#kept.size >= this.#settings.most) {
      this.#settings.overflowed(budget);
      return undefined;
    }
    const now = this.#settings.scheduler.elapsed();
    const release = {
      budget,
      lease,
      isDecided,
      missed: 0,
      due: now,
      until: now + budget.plan.period,
      pause: FIRST_PAUSE,
      isUnderWay: false,
    };
    this.#kept.set(nameOf(budget, lease), release);
    this.#arm();
    return release;
  }

  #arm(): void {
    if (this.#isArmed || this.#kept.size === 0) return;
    this.#isArmed = true;
    this.#settings.scheduler.afterDelay(LOOK_AGAIN, () => {
      this.#isArmed = false;
      this.#look();
    });
  }

  #look(): void {
    const { scheduler, mostAtOnce = Number.POSITIVE_INFINITY } = this.#settings;
    const now = scheduler.elapsed();
    let sent = 0;
    for (const release of this.#kept.values()) {
      if (release.until <= now) this.#forget(release);
      else if (this.#sendIfDue(release, now) && ++sent >= mostAtOnce) break;
    }
    this.#arm();
  }

  /** Sends a release if it is due. Returns whether it did. */
  #sendIfDue(release: PendingRelease, now: number): boolean {
    const { budget, lease, isUnderWay, due, isDecided } = release;
    if (isUnderWay || due > now || !this.#settings.maySend(budget)) return false;
    release.isUnderWay = true;
    this.#settings.send(budget, lease).then(
      (wasHeld) => {
        release.isUnderWay = false;
        // An ask that has just ended may have been granted after this release was carried out.
        if (wasHeld || isDecided || ++release.missed >= MISSED) this.#forget(release);
        else this.#postpone(release);
      },
      () => {
        release.isUnderWay = false;
        this.#postpone(release);
      },
    );
    return true;
  }

  #postpone(release: PendingRelease): void {
    release.due = this.#settings.scheduler.elapsed() + release.pause;
    release.pause = Math.min(LONGEST_PAUSE, release.pause * 2);
  }

  #forget({ budget, lease }: PendingRelease): void {
    this.#kept.delete(nameOf(budget, lease));
  }
}

function nameOf(budget: Budget, { id }: LeaseRef): string {
  return `${id} ${budgetId(budget)}`;
}
