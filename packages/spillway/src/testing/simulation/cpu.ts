import { type Curve, constant } from "./curves.ts";
import type { EventLoop } from "./event-loop.ts";

/** How much slower code runs than when it is warm. Both are factors. */
export type SimulatedCpuOptions = {
  /**
   * The factor by milliseconds since the simulation began, as from noisy neighbours. Default: 1.
   */
  readonly slowdown?: Curve;
  /**
   * The factor by how often the same task was done before, as in a process that has just started.
   * Default: 1.
   *
   * Reading, refusing, accepting, closing, and the work of requests are counted separately.
   */
  readonly warmUp?: Curve;
};

/** The kind of a task, and its CPU time with warm code, in milliseconds. */
export type Task = { readonly what: string; readonly ms: number };

/** The CPU of a process. Code may run slower at first. */
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

  /** Runs a task, which uses CPU time of the process. */
  run({ what, ms }: Task): void {
    const before = this.#runs.get(what) ?? 0;
    this.#runs.set(what, before + 1);
    this.#loop.burn(ms * this.#slowdown.at(this.#loop.elapsed()) * this.#warmUp.at(before));
  }
}
