import type { LoadWindow } from "./estimators/load-share.ts";

/** Served in a window before anything is learnt from it, unless there is too little in four windows. */
const ENOUGH = 10;
const LONGEST = 4;

/** What a shedder sees in one window of time. */
export class AdaptiveWindow implements Omit<LoadWindow, "delay"> {
  readonly started: number;
  asked = 0;
  served = 0;
  /** Pieces of work that were to be started, but waited for too long. */
  waited = 0;

  /** @param started When it began, in milliseconds from any beginning. */
  constructor(started: number) {
    this.started = started;
  }

  /** Whether it has lasted for `ms`, and for long enough to tell something. */
  isOver(now: number, ms: number): boolean {
    const lasted = now - this.started;
    return lasted >= ms && (this.served >= ENOUGH || lasted >= LONGEST * ms);
  }
}
