/** The jobs of a queue in this process. */
import { Schedule, type Scheduled, stopper } from "../../../internal/index.ts";
import type { JobRecord, KnownJob, TakenJob } from "../../contracts.ts";

export type JobEntry = {
  record: JobRecord;
  readonly id: string;
  state: KnownJob["state"];
  isFresh: boolean;
  hasStarted: boolean;
  attempts: number;
  result: unknown;
  error: string | undefined;
};

/**
 * Jobs that wait for their time, the earliest first; those of the same time in order of arrival.
 */
export class WaitingJobs {
  readonly #schedule = new Schedule<JobEntry>();
  readonly #places = new WeakMap<JobEntry, Scheduled<JobEntry>>();

  /** The earliest start, in milliseconds since 1970; `Infinity` if no job waits. */
  get next(): number {
    return this.#schedule.next;
  }

  add(entry: JobEntry): void {
    this.#places.set(entry, this.#schedule.add({ at: entry.record.startAt, item: entry }));
  }

  /** Removes and returns the first job; undefined if none waits. */
  take(): JobEntry | undefined {
    return this.#schedule.take();
  }

  /** Removes a job, if it waits. */
  remove(entry: JobEntry): void {
    const place = this.#places.get(entry);
    if (place !== undefined) this.#schedule.cancel(place);
  }
}

/** Returns the job that a worker receives. */
export function taken(entry: JobEntry): TakenJob {
  const { id, record, isFresh } = entry;
  return {
    ...record,
    // Each attempt receives a copy of the data, because the work may change it.
    data: JSON.parse(JSON.stringify(record.data)),
    id,
    isFresh,
    // Never aborts, because no other process can take a job from this process.
    signal: stopper().signal,
    heldFor: async () => Number.POSITIVE_INFINITY,
    begin: async () => {
      if (entry.state !== "running") return false;
      entry.hasStarted = true;
      return true;
    },
  };
}
