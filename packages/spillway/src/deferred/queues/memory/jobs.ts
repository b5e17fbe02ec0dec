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

/** Jobs that wait for their time, in the order of those times, and of one time in the order in which they came. */
export class WaitingJobs {
  readonly #schedule = new Schedule<JobEntry>();
  readonly #places = new WeakMap<JobEntry, Scheduled<JobEntry>>();

  /** When the first of them starts; Infinity where none waits. */
  get next(): number {
    return this.#schedule.next;
  }

  add(entry: JobEntry): void {
    this.#places.set(entry, this.#schedule.add({ at: entry.record.startAt, item: entry }));
  }

  /** Takes out the first; undefined where none waits. */
  take(): JobEntry | undefined {
    return this.#schedule.take();
  }

  /** Takes out one, if it waits. */
  remove(entry: JobEntry): void {
    const place = this.#places.get(entry);
    if (place !== undefined) this.#schedule.cancel(place);
  }
}

/** What a worker is given. */
export function taken(entry: JobEntry): TakenJob {
  const { id, record, isFresh } = entry;
  return {
    ...record,
    // Work may change what it is given: the next attempt has it as it was.
    data: JSON.parse(JSON.stringify(record.data)),
    id,
    isFresh,
    // Never aborted: nobody else can have a job of this process.
    signal: stopper().signal,
    heldFor: async () => Number.POSITIVE_INFINITY,
    begin: async () => {
      if (entry.state !== "running") return false;
      entry.hasStarted = true;
      return true;
    },
  };
}
