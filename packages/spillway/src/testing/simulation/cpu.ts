import { type Curve, constant } from "./curves.ts";
import type { EventLoop } from "./event-loop.ts";

/** By how much code is slower than it is once it is warm; each a factor. */
export type SimulatedCpuOptions = {
  /** Over the milliseconds since the simulation began, as with neighbours. Default: 1. */
  readonly slowdown?: Curve;
  /**
   * Over how often the same was done before, as in a process that has just started. Default: 1.
   *
   * Reading, refusing, accepting, closing, and the work of requests are each counted apart.
   */
  readonly warmUp?: Curve;
};

/** What is done, and how long it takes once its code is warm. */
export type Task = { readonly what: string; readonly ms: number };

/** The CPU that a process runs on, and its code, which may be slower at first. */
export class Cpu {
  readonly #loop: EventLoop;
  readonly #slowdown: Curve;
  readonly #warmUp: Curve;
  readonly #runs = new Map<string, number>();

  constructor(
    loop: EventLoop,
    { slowdown = constant(1), warmUp = constant(1) }: SimulatedCpuOptions,
  ) {
    this.#loop = loop;
    this.#slowdown = slowdown;
    this.#warmUp = warmUp;
  }

  /** Does something for the next time; it takes the process's time. */
  run({ what, ms }: Task): void {
    const before = this.#runs.get(what) ?? 0;
    this.#runs.set(what, before + 1);
    this.#loop.burn(ms * this.#slowdown.at(this.#loop.elapsed()) * this.#warmUp.at(before));
  }
}
