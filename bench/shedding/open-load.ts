/** An open loop: requests are sent when they are due, whatever became of the ones before. */
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { requestText } from "./answer.ts";
import { type Arrival, arrivals, type Stream } from "./arrivals.ts";
import { type Flight, Pool } from "./connection.ts";
import { type Ending, type Observation, Tally } from "./tally.ts";

/** A load, in milliseconds. It goes on for a deadline after the measured span, as its requests may. */
export type OpenLoad = Stream & {
  readonly port: number;
  /** Connections at a time; 2000 unless said. */
  readonly most?: number;
  /** Before requests are counted. */
  readonly settle: number;
  /** While they are. */
  readonly measured: number;
  /** From when a request is due; an answer that is not there by then is given up. */
  readonly deadline: number;
};

/**
 * Sends it, and waits for the last answer. Connections for all that can be on its way at once are
 * there before: a server that is busy accepts few, and their wait would hide what is measured.
 */
export async function openLoad(load: OpenLoad): Promise<Observation> {
  using pool = new Pool(load);
  await pool.open(Math.ceil((load.rate * load.deadline) / 1000));
  const run = new Run(load, pool);
  do await setTimeout(1);
  while (run.proceed());
  return run.tally.observation(load.measured);
}

/** A request that has no answer yet. */
type Pending = { readonly arrival: Arrival; flight: Flight | undefined };

class Run {
  readonly tally = new Tally();
  readonly #load: OpenLoad;
  readonly #pool: Pool;
  readonly #coming: Generator<Arrival, never>;
  /** The one that is due first comes first. */
  readonly #pending = new Set<Pending>();
  readonly #start = performance.now();
  #next: Arrival;

  constructor(load: OpenLoad, pool: Pool) {
    this.#load = load;
    this.#pool = pool;
    this.#coming = arrivals(load);
    this.#next = this.#coming.next().value;
  }

  /** Sends what is due, gives up what is overdue; whether there is anything left to do. */
  proceed(): boolean {
    const { settle, measured, deadline } = this.#load;
    const end = settle + measured + deadline;
    this.#giveUp();
    for (; this.#next.due <= Math.min(this.#now(), end); this.#next = this.#coming.next().value) {
      this.#send(this.#next);
    }
    return this.#next.due <= end || this.#pending.size > 0;
  }

  #now(): number {
    return performance.now() - this.#start;
  }

  #send(arrival: Arrival): void {
    const pending: Pending = { arrival, flight: undefined };
    const late = this.#now() - arrival.due;
    this.#pending.add(pending);
    pending.flight = this.#pool.send(requestText(arrival), (status) => this.#end(pending, status));
    const isUnsent = pending.flight === undefined;
    if (this.#isCounted(arrival)) this.tally.sent(arrival.priority, { late, isUnsent });
    if (isUnsent) this.#end(pending, undefined);
  }

  #giveUp(): void {
    const overdue = this.#now() - this.#load.deadline;
    for (const pending of this.#pending) {
      if (pending.arrival.due > overdue) return;
      this.#end(pending, undefined);
      pending.flight?.abort();
    }
  }

  /** Only the first time: a request that was given up is closed as well. */
  #end(pending: Pending, status: number | undefined): void {
    const { arrival } = pending;
    if (!this.#pending.delete(pending) || !this.#isCounted(arrival)) return;
    const ms = this.#now() - arrival.due;
    const ending = ms > this.#load.deadline ? "failed" : endingOf(status);
    this.tally.ended(arrival.priority, { ending, ms });
  }

  #isCounted({ due }: Arrival): boolean {
    const { settle, measured } = this.#load;
    return due >= settle && due < settle + measured;
  }
}

function endingOf(status: number | undefined): Ending {
  if (status === 200) return "served";
  return status === 503 ? "shed" : "failed";
}
