import type { Signal } from "../../shedding/index.ts";
import { type Curve, constant } from "./curves.ts";
import { Fifo } from "./fifo.ts";
import { shareSinceAsked } from "./readings.ts";
import type { VirtualTime } from "./virtual-time.ts";

export type PoolOptions = {
  /** The number of jobs that run at once. */
  readonly workers: number;
  /** The factor by which a job takes longer, by the instant at which it starts. Default: 1. */
  readonly slowdown?: Curve;
};

type PoolJob = { readonly ms: number; readonly done: () => void };

/** Workers outside of the process, such as a database. Jobs wait in one unbounded queue. */
export class Pool {
  readonly workers: number;
  readonly #time: VirtualTime;
  readonly #slowdown: Curve;
  readonly #line = new Fifo<PoolJob>();
  #busy = 0;
  #worked = 0;
  #since = 0;

  constructor(time: VirtualTime, { workers, slowdown = constant(1) }: PoolOptions) {
    this.#time = time;
    this.workers = workers;
    this.#slowdown = slowdown;
  }

  /** The number of workers that have a job right now. */
  get busy(): number {
    return this.#busy;
  }

  /** The number of jobs that wait for a worker. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Returns a reader of the mean share of busy workers, since its last call. */
  utilization(): Signal {
    return shareSinceAsked({
      busy: () => this.#worked + this.#busy * (this.#time.now - this.#since),
      possible: () => this.workers * this.#time.now,
    });
  }

  /**
   * Runs a job of some milliseconds once a worker is free. `done` is called outside of the process.
   */
  serve(ms: number, done: () => void): void {
    if (this.#busy < this.workers) this.#start({ ms, done });
    else this.#line.add({ ms, done });
  }

  #start({ ms, done }: PoolJob): void {
    this.#count(1);
    const { now } = this.#time;
    this.#time.plan({ at: now + ms * this.#slowdown.at(now), call: () => this.#end(done) });
  }

  #end(done: () => void): void {
    this.#count(-1);
    const next = this.#line.take();
    if (next !== undefined) this.#start(next);
    done();
  }

  #count(change: 1 | -1): void {
    const { now } = this.#time;
    this.#worked += this.#busy * (now - this.#since);
    this.#since = now;
    this.#busy += change;
  }
}
