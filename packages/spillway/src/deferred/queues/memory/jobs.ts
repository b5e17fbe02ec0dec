/** The jobs of a queue in this process. */
import { Schedule, type Scheduled, stopper } from "../../../internal/index.ts";
import type { JobRecord, KnownJob, TakenJob } from "../../contracts.ts";

export type Entry = {
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
  readonly #schedule = new Schedule<Entry>();
  readonly #places = new WeakMap<Entry, Scheduled<Entry>>();

  /** When the first of them starts; Infinity where none waits. */
  get next(): number {
    return this.#schedule.next;
  }

  add(entry: Entry): void {
    this.#places.set(entry, this.#schedule.add({ at: entry.record.startAt, item: entry }));
  }

  /** Takes out the first; undefined where none waits. */
  take(): Entry | undefined {
    return this.#schedule.take();
  }

  /** Takes out one, if it waits. */
  remove(entry: Entry): void {
    const place = this.#places.get(entry);
    if (place !== undefined) this.#schedule.cancel(place);
  }
}

/** What a worker is given. */
export function taken(entry: Entry): TakenJob {
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
