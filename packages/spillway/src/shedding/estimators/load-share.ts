/** The counts of one window, in pieces of work. */
export type LoadWindow = {
  /** Work that was requested. */
  readonly asked: number;
  /** Work that has ended, served or not. */
  readonly served: number;
  /** Work that was admitted to the queue, but did not start in time. */
  readonly waited: number;
};

/** The state at the end of a window. */
export type LoadState = {
  /** The longest current wait, as a multiple of the wait that is allowed. */
  readonly delay: number;
  /** Whether an overload is on and the process or its capacity is saturated. */
  readonly isOverloaded: boolean;
};

/**
 * The factor by which more work is admitted than is served, so that the queue is never empty. The
 * queue sheds the excess.
 */
const AHEAD = 1.1;
/** How much this factor falls for each further multiple of the allowed wait. */
const LESS = 0.05;
/**
 * The lower bound of this factor. It is below 1, so that even a long queue soon becomes shorter.
 */
const DRAIN_SHARE = 0.8;
/** The factor by which the share grows if all admitted work was started. */
const GROWTH = 1.5;
/**
 * The maximum fraction of admitted work that may be lost while it waits. Above it, the share falls.
 */
const MOST_WASTED = 0.03;
/** The smallest share. Without it, nothing would ever show the end of an overload. */
const LEAST = 0.01;
/** The weight of the latest window in the moving mean. */
const WEIGHT = 0.4;

/**
 * Computes the share of requested work that there is room for, from what is served in an overload.
 *
 * It follows the measurements directly, so it can't oscillate. The share is the ratio of served to
 * requested work. It is a little larger, so that there is always work, and a little smaller while a
 * queue exists.
 */
export class LoadShare {
  #share = 1;
  /** The ratio of served to requested work, smoothed; undefined while nothing had to be refused. */
  #possible: number | undefined;

  /** From 0 to 1; 1 if there is room for all work. */
  get share(): number {
    return this.#share;
  }

  /** Admits all work, as at the start. */
  forget(): void {
    this.#set(1);
  }

  /** Learns from a window, and from the state at its end. */
  learn({ asked, served, waited }: LoadWindow, { delay, isOverloaded }: LoadState): void {
    const isTooMuch = delay > 1 || waited > MOST_WASTED * (served + waited);
    if (!isOverloaded) this.forget();
    else if (!isTooMuch || asked === 0) this.#set(this.#share * GROWTH);
    else this.#follow(served / asked, delay);
  }

  /** Sets the share to the possible one, a little more or less. */
  #follow(seen: number, delay: number): void {
    this.#possible = (this.#possible ?? seen) + WEIGHT * (seen - (this.#possible ?? seen));
    const ahead = Math.max(DRAIN_SHARE, AHEAD - LESS * Math.max(0, delay - 1));
    this.#set(this.#possible * ahead);
  }

  #set(share: number): void {
    this.#share = Math.min(1, Math.max(LEAST, share));
    if (this.#share === 1) this.#possible = undefined;
  }
}
