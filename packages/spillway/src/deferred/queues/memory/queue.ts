import {
  clock,
  type OptionsOf,
  type OptionTable,
  RecentMap,
  readOptions,
  scheduler,
  whole,
} from "../../../internal/index.ts";
import type { Clock, Scheduler } from "../../../limits/core/index.ts";
import type {
  JobOutcome,
  JobQueue,
  JobRecord,
  JobWorker,
  KnownJob,
  NewJob,
  TakeJob,
} from "../../contracts.ts";
import { reasonOf } from "../../problems.ts";
import { type JobEntry, taken, WaitingJobs } from "./jobs.ts";
import { steadyClock } from "./steady-clock.ts";

/** Options of a queue in this process. */
export type MemoryQueueOptions = {
  /** The maximum number of attempts for a job that fails: 1 to 100. Default: 1. */
  readonly attempts?: number | undefined;
  /**
   * The maximum number of finished jobs to remember: 0 to a million. The oldest is forgotten first.
   * Default: 1000.
   */
  readonly maxFinished?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly scheduler?: Scheduler | undefined;
};

const TABLE = {
  attempts: whole({ most: 100, otherwise: 1 }),
  maxFinished: whole({ least: 0, most: 1_000_000, otherwise: 1000 }),
  clock,
  scheduler,
} satisfies OptionTable<MemoryQueueOptions>;

type MemoryQueueSettings = OptionsOf<typeof TABLE>;

/** The pause before another try of a job that could not be started, in milliseconds. */
const PAUSE = 1000;

/**
 * Creates a queue in this process, for work that may be lost: its jobs end with the process.
 *
 * @throws SpillwayError `bad-option`, `unknown-field`, `bad-clock`
 */
export function memoryQueue(options: MemoryQueueOptions = {}): JobQueue {
  const settings = readOptions({ of: "memoryQueue" }, options, TABLE);
  return new MemoryQueue({ ...settings, clock: steadyClock(settings.clock, settings.scheduler) });
}

class MemoryQueue implements JobQueue {
  readonly precision = 500;
  readonly #options: MemoryQueueSettings;
  readonly #jobs = new Map<string, JobEntry>();
  readonly #waiting = new WaitingJobs();
  /** The ids of finished jobs, the oldest first. */
  readonly #finished: RecentMap<string, undefined>;
  readonly #workers = new Set<MemoryWorker>();
  #callOff: () => void = () => {};

  constructor(options: MemoryQueueSettings) {
    this.#options = options;
    this.#finished = new RecentMap(options.maxFinished);
  }

  async now(): Promise<number> {
    return this.#options.clock();
  }

  async add({ id, wait: _, ...record }: NewJob): Promise<boolean> {
    if (this.#jobs.has(id)) return false;
    const rest = { hasStarted: false, attempts: 0, result: undefined, error: undefined };
    const entry: JobEntry = { id, record, state: "queued", isFresh: true, ...rest };
    this.#jobs.set(id, entry);
    this.#wait(entry);
    return true;
  }

  async find(id: string): Promise<KnownJob | undefined> {
    const entry = this.#jobs.get(id);
    if (entry === undefined) return undefined;
    const { state, record, result, error } = entry;
    return { id, state, startAt: record.startAt, result, error };
  }

  async cancel(id: string): Promise<JobRecord | undefined> {
    const entry = this.#jobs.get(id);
    const isOpen = entry?.state === "queued" || entry?.state === "running";
    if (entry === undefined || !isOpen || entry.hasStarted) return undefined;
    this.#waiting.remove(entry);
    this.#finish(entry, { state: "cancelled" });
    this.#pump();
    return entry.record;
  }

  work(take: TakeJob, { concurrency }: { readonly concurrency: number }): JobWorker {
    const worker: MemoryWorker = { take, free: concurrency, under: new Set() };
    this.#workers.add(worker);
    this.#pump();
    return {
      close: async () => {
        this.#workers.delete(worker);
        await Promise.allSettled(worker.under);
      },
    };
  }

  #wait(entry: JobEntry): void {
    entry.state = "queued";
    this.#waiting.add(entry);
    this.#pump();
  }

  /** Hands due jobs to free workers, and sets a timer for the next one. */
  #pump(): void {
    this.#callOff();
    const { clock, scheduler } = this.#options;
    for (;;) {
      const { next } = this.#waiting;
      const worker = [...this.#workers].find(({ free }) => free > 0);
      if (next === Number.POSITIVE_INFINITY || worker === undefined) return;
      const wait = next - clock();
      if (wait > 0) {
        this.#callOff = scheduler.alarm(wait, () => this.#pump());
        return;
      }
      this.#hand(this.#waiting.take() as JobEntry, worker);
    }
  }

  #hand(entry: JobEntry, worker: MemoryWorker): void {
    worker.free--;
    entry.state = "running";
    const under: Promise<void> = worker
      .take(taken(entry))
      .then(
        (outcome) => this.#over(entry, outcome),
        (error: unknown) => this.#failed(entry, error),
      )
      .finally(() => {
        worker.free++;
        worker.under.delete(under);
        this.#pump();
      });
    worker.under.add(under);
  }

  #over(entry: JobEntry, outcome: JobOutcome): void {
    if (entry.state !== "running") return;
    if (outcome.type === "done") this.#finish(entry, { state: "done", result: outcome.result });
    else if (outcome.type === "later") this.#again(entry, outcome.startAt, true);
    // The job was not started, so it is tried again.
    else this.#again(entry, this.#options.clock() + PAUSE, false);
  }

  #again(entry: JobEntry, startAt: number, isFresh: boolean): void {
    entry.record = { ...entry.record, startAt };
    entry.isFresh = isFresh;
    this.#wait(entry);
  }

  #failed(entry: JobEntry, error: unknown): void {
    if (entry.state !== "running") return;
    entry.error = reasonOf(error);
    entry.attempts++;
    if (entry.attempts >= this.#options.attempts) this.#finish(entry, { state: "failed" });
    else this.#again(entry, this.#options.clock(), false);
  }

  #finish(
    entry: JobEntry,
    { state, result }: Pick<KnownJob, "state"> & { result?: unknown },
  ): void {
    entry.state = state;
    entry.result = result;
    const oldest = this.#finished.set(entry.id, undefined);
    if (oldest !== undefined) this.#jobs.delete(oldest);
  }
}

type MemoryWorker = { readonly take: TakeJob; free: number; readonly under: Set<Promise<void>> };
