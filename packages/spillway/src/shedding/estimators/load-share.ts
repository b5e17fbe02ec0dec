/** What was counted in one window, in pieces of work. */
export type LoadWindow = {
  /** Those that asked. */
  readonly asked: number;
  /** Those that have ended, be they served or not. */
  readonly served: number;
  /** Those for which there was to be room, but that had no turn in time. */
  readonly waited: number;
};

/** How things stand at the end of a window. */
export type LoadState = {
  /** For how many times as long as it should the oldest has waited that still waits. */
  readonly delay: number;
  /** Whether work waits, or has waited, for longer than it should. */
  readonly isOverloaded: boolean;
};

/**
 * As much more than is served has to be let in that there is always work: the queue sheds the rest.
 */
const AHEAD = 1.1;
/** How much of that goes with each time as long as it should that work waits. */
const LESS = 0.05;
/** The least to let in of what is served, so that a queue that stands is gone before long. */
const DRAIN_SHARE = 0.8;
/** How much more is tried where all that was let in had its turn. */
const GROWTH = 1.5;
/** How much of what is let in may wait in vain before that is too much. */
const MOST_WASTED = 0.03;
/** What is let in however little is served: otherwise nothing would ever show that it is over. */
const LEAST = 0.01;
/** How much a window counts beside those before. */
const WEIGHT = 0.4;

/**
 * The share of what is asked that there is room for, from what is served while work waits for long.
 *
 * It follows what is measured, and keeps nothing that could swing: as much as was served of as much
 * as was asked; a little more, so that there is always work, and a little less while a queue
 * stands.
 */
export class LoadShare {
  #share = 1;
  /** What was served of what was asked, smoothed; undefined while nothing had to be refused. */
  #possible: number | undefined;

  /** From 0 to 1; 1 while there is room for all. */
  get share(): number {
    return this.#share;
  }

  /** Lets everything in, as at first. */
  forget(): void {
    this.#set(1);
  }

  /** Learns from a window, and from how things stand at its end. */
  learn({ asked, served, waited }: LoadWindow, { delay, isOverloaded }: LoadState): void {
    const isTooMuch = delay > 1 || waited > MOST_WASTED * (served + waited);
    if (!isOverloaded) this.forget();
    else if (!isTooMuch || asked === 0) this.#set(this.#share * GROWTH);
    else this.#follow(served / asked, delay);
  }

  /** Lets in what is possible, and a little more or less. */
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
