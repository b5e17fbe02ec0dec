import { PRIORITIES, type Priority } from "../../shedding/index.ts";
import type { CpuUse } from "./event-loop.ts";

/**
 * The results of the requests of one priority in one bucket of time.
 *
 * Each attempt in `offered` is later counted as `served`, `late`, `shed` or `timedOut`, unless it
 * was not answered before the run ended.
 */
export type RequestTally = {
  /** Requests, without their retries. */
  arrived: number;
  /** Requests in `arrived` for which one attempt was served in time, in any bucket. */
  succeeded: number;
  /** Attempts: requests and their retries. */
  offered: number;
  /** Attempts served in time: the goodput. */
  served: number;
  /** Attempts served after the deadline. Their work was wasted. */
  late: number;
  /** Attempts refused before the deadline. */
  shed: number;
  /** Attempts refused after the deadline, or without an answer although the deadline has passed. */
  timedOut: number;
  /**
   * The time from attempt to answer of each served attempt, late ones included, in milliseconds.
   */
  readonly latencies: number[];
};

/** The name of a count in a tally. */
export type Count = Exclude<keyof RequestTally, "latencies">;

/** A tally for each priority. */
export type Tallies = Readonly<Record<Priority, RequestTally>>;

export type Bucket = {
  /** The start of the bucket, in milliseconds after the simulation began. */
  readonly start: number;
  /** The CPU time that the process used within the bucket, in milliseconds. */
  cpu: number;
  readonly tallies: Tallies;
  /** The tallies of routes that have a name. Their requests are counted in `tallies` too. */
  readonly routes: { [name: string]: Tallies };
};

/**
 * The recording of a simulation. Buckets continue after `duration` until all attempts are answered.
 */
export type Recording = {
  /** The time in which requests arrived, in milliseconds. */
  readonly duration: number;
  /** The length of a bucket, in milliseconds. */
  readonly width: number;
  readonly buckets: readonly Bucket[];
};

type RecordedRequest = { readonly priority: Priority; readonly route: { readonly name?: string } };

/** Collects the counts of a run and returns them as a recording. */
export class Recorder {
  readonly #width: number;
  readonly #buckets: Bucket[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /**
   * Returns the tallies for a request that was offered at an instant: that of its priority, and
   * that of its route's name.
   */
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

  /** Adds CPU time to the buckets in which it was used. */
  burned({ from, ms }: CpuUse): void {
    const end = from + ms;
    for (let start = from; start < end; ) {
      const bucket = this.#bucket(start);
      const stop = Math.min(end, bucket.start + this.#width);
      bucket.cpu += stop - start;
      start = stop;
    }
  }

  /**
   * Returns the recording. @param duration The time in which requests arrived, in milliseconds;
   * buckets cover it even if empty.
   */
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

/** Returns a tally of zeros. */
export function emptyTally(): RequestTally {
  const counts = { arrived: 0, succeeded: 0, offered: 0, served: 0, late: 0, shed: 0, timedOut: 0 };
  return { ...counts, latencies: [] };
}
