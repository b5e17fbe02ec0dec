import { DAY, systemClock } from "../../../limits/core/index.ts";
import type { JobRecord } from "../../contracts.ts";
import type { BullmqRedisClient } from "./contracts.ts";

const STARTED = "started";
/** A job may be retried for so long after its first start. */
const RETRIED = 7 * DAY;

/**
 * Who was first with each job: who starts it, or who cancels it. BullMQ removes a job in any state but a locked
 * one, so that its own state can't settle it.
 */
export class BullmqMarks {
  readonly #redis: BullmqRedisClient;
  readonly #prefix: string;
  readonly #keep: number;

  constructor(
    redis: BullmqRedisClient,
    { name, keep }: { readonly name: string; readonly keep: number },
  ) {
    this.#redis = redis;
    this.#prefix = `spillway:deferred:${name}:`;
    this.#keep = keep;
  }

  /** Whether the job starts, now or earlier: false where it was cancelled. */
  async start(id: string, record: JobRecord): Promise<boolean> {
    return (await this.#setOnce(id, record, STARTED)) || (await this.#get(id)) === STARTED;
  }

  /** Whether this call has cancelled it. */
  cancel(id: string, record: JobRecord): Promise<boolean> {
    return this.#setOnce(id, record, JSON.stringify({ startAt: record.startAt }));
  }

  /** The reserved time of a job that was cancelled. */
  async cancelled(id: string): Promise<number | undefined> {
    const mark = await this.#get(id);
    if (mark === undefined || mark === STARTED) return undefined;
    return (JSON.parse(mark) as Pick<JobRecord, "startAt">).startAt;
  }

  async #get(id: string): Promise<string | undefined> {
    const value = await this.#redis.call("GET", this.#prefix + id);
    return value === null ? undefined : String(value);
  }

  async #setOnce(id: string, { startAt }: JobRecord, mark: string): Promise<boolean> {
    // As long as the job is known.
    const ms = Math.max(0, startAt - systemClock()) + Math.max(this.#keep, RETRIED) + DAY;
    const set = ["NX", "PX", String(Math.ceil(ms))];
    return (await this.#redis.call("SET", this.#prefix + id, mark, ...set)) !== null;
  }
}
