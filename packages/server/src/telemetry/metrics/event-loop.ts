/** Measures how late the event loop runs callbacks that are due. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { SECOND } from "spillway/core";
import { afterDelay } from "spillway/support";
import { histogram, type Series } from "./series.ts";
import { Buckets } from "./tally.ts";

/** Milliseconds between two samples of the delay. */
const RESOLUTION = 10;
const NS = 1e9;
const BOUNDS = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/**
 * Records the longest delay of each second. All readers see the same value.
 */
export class EventLoopDelay {
  readonly #monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #buckets = new Buckets(BOUNDS);
  #cancel = () => {};

  start(): void {
    this.#monitor.enable();
    this.#next();
  }

  stop(): void {
    this.#cancel();
    this.#monitor.disable();
  }

  #next(): void {
    this.#cancel = afterDelay(SECOND, () => {
      // A sample includes the pause between samples.
      const longest = this.#monitor.max / NS - RESOLUTION / SECOND;
      if (this.#monitor.count > 0) this.#buckets.add(Math.max(0, longest));
      this.#monitor.reset();
      this.#next();
    });
  }

  get series(): readonly Series[] {
    const read = () => [this.#buckets.read({})];
    return [histogram("spillway_event_loop_delay_seconds", { bounds: BOUNDS, read })];
  }
}
