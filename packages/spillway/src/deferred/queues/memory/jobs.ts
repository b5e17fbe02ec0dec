/** The jobs of a queue in this process. */
import { stopper } from "../../../internal/index.ts";
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

/** Jobs that wait for their time, in the order of those times. */
export class WaitingJobs {
  /** The one that starts first at the end. */
  readonly #entries: Entry[] = [];

  /** The one that starts first. */
  get next(): Entry | undefined {
    return this.#entries.at(-1);
  }

  add(entry: Entry): void {
    const { startAt } = entry.record;
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle] as Entry).record.startAt > startAt) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }

  remove(entry: Entry): void {
    const index = this.#entries.lastIndexOf(entry);
    if (index >= 0) this.#entries.splice(index, 1);
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
