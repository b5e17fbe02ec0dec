import { PRIORITIES, type Priority } from "../../shedding/index.ts";
import type { CpuUse } from "./event-loop.ts";

/**
 * What became of the requests of one priority that were offered in one bucket of time.
 *
 * Each attempt that was offered is then `served`, `late`, `shed` or `timedOut`, or was not answered
 * before the run ended.
 */
export type RequestTally = {
  /** Requests, without their retries. */
  arrived: number;
  /** Those of `arrived` that were served in time by one of their attempts, whenever that was. */
  succeeded: number;
  /** Attempts: requests and their retries. */
  offered: number;
  /** Served in time: the goodput. */
  served: number;
  /** Served after the deadline: work for nothing. */
  late: number;
  /** Refused in time. */
  shed: number;
  /** Refused after the deadline, or not at all answered although it is over. */
  timedOut: number;
  /** Milliseconds from the attempt to the answer of all that were served, late ones included. */
  readonly latencies: number[];
};

/** What a tally counts. */
export type Count = Exclude<keyof RequestTally, "latencies">;

/** A tally for each priority. */
export type Tallies = Readonly<Record<Priority, RequestTally>>;

export type Bucket = {
  /** Milliseconds after the simulation began. */
  readonly start: number;
  /** Milliseconds of CPU time that the process used within the bucket. */
  cpu: number;
  readonly tallies: Tallies;
  /** Those of routes that have a name, apart: they are in `tallies` as well. */
  readonly routes: { [name: string]: Tallies };
};

/** What happened. Buckets go on after `duration` until all is answered. */
export type Recording = {
  /** Milliseconds in which requests arrived. */
  readonly duration: number;
  /** Milliseconds that a bucket lasts. */
  readonly width: number;
  readonly buckets: readonly Bucket[];
};

type RecordedRequest = { readonly priority: Priority; readonly route: { readonly name?: string } };

/** Writes a recording. */
export class Recorder {
  readonly #width: number;
  readonly #buckets: Bucket[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /** Where to count what becomes of a request that was offered at an instant. */
  tallies(
    instant: number,
    { priority, route: { name } }: RecordedRequest,
  ): readonly RequestTally[] {
    const { tallies, routes } = this.#bucket(instant);
    if (name === undefined) return [tallies[priority]];
    const own = routes[name] ?? emptyTallies();
    routes[name] = own;
    return [tallies[priority], own[priority]];
  }

  /** Counts CPU time in the buckets in which it was used. */
  burned({ from, ms }: CpuUse): void {
    const end = from + ms;
    for (let start = from; start < end; ) {
      const bucket = this.#bucket(start);
      const stop = Math.min(end, bucket.start + this.#width);
      bucket.cpu += stop - start;
      start = stop;
    }
  }

  /** @param duration Milliseconds in which requests arrived: those have buckets in any case. */
  finish(duration: number): Recording {
    const count = Math.ceil(duration / this.#width);
    if (count > 0) this.#bucket((count - 1) * this.#width);
    return { duration, width: this.#width, buckets: this.#buckets };
  }

  #bucket(instant: number): Bucket {
    const index = Math.floor(instant / this.#width);
    for (let next = this.#buckets.length; next <= index; next++) {
      this.#buckets.push(emptyBucket(next * this.#width));
    }
    return this.#buckets[index] as Bucket;
  }
}

function emptyBucket(start: number): Bucket {
  return { start, cpu: 0, tallies: emptyTallies(), routes: {} };
}

function emptyTallies(): Tallies {
  const tallies = PRIORITIES.map((priority) => [priority, emptyTally()]);
  return Object.fromEntries(tallies) as Tallies;
}

/** Nothing counted. */
export function emptyTally(): RequestTally {
  const counts = { arrived: 0, succeeded: 0, offered: 0, served: 0, late: 0, shed: 0, timedOut: 0 };
  return { ...counts, latencies: [] };
}
