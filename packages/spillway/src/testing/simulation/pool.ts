import type { Signal } from "../../shedding/index.ts";
import { type Curve, constant } from "./curves.ts";
import { Fifo } from "./fifo.ts";
import { shareSinceAsked } from "./readings.ts";
import type { VirtualTime } from "./virtual-time.ts";

export type PoolOptions = {
  /** How many jobs it works on at once. */
  readonly workers: number;
  /** The factor by which jobs take longer that start at an instant. Default: 1. */
  readonly slowdown?: Curve;
};

type PoolJob = { readonly ms: number; readonly done: () => void };

/** Workers outside of the process, such as a database: jobs wait in one line without an end. */
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

  /** How many workers have a job in this instant. */
  get busy(): number {
    return this.#busy;
  }

  /** How many jobs wait for a worker. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Makes a reader of the mean share of the workers that had a job, since last asked. */
  utilization(): Signal {
    return shareSinceAsked({
      busy: () => this.#worked + this.#busy * (this.#time.now - this.#since),
      possible: () => this.workers * this.#time.now,
    });
  }

  /** Does a job of so many ms when a worker is free; `done` is called outside the process. */
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
