import { DAY, systemClock } from "../../../limits/core/index.ts";
import type { JobRecord } from "../../contracts.ts";
import type { BullmqRedisClient } from "./contracts.ts";

const STARTED = "started";
/** How long a job may be retried after its first start, in milliseconds. */
const RETRIED = 7 * DAY;

/**
 * Records in Redis whether a job was first started or first cancelled. Each mark is set atomically.
 *
 * BullMQ removes a job in any state, unless it is locked. So the job's own state can't decide this.
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

  /**
   * Marks a job as started. Returns true if it starts now or has started earlier, false if it was
   * cancelled.
   */
  async start(id: string, record: JobRecord): Promise<boolean> {
    return (await this.#setOnce(id, record, STARTED)) || (await this.#get(id)) === STARTED;
  }

  /** Marks a job as cancelled. Returns whether this call did it. */
  cancel(id: string, record: JobRecord): Promise<boolean> {
    return this.#setOnce(id, record, JSON.stringify({ startAt: record.startAt }));
  }

  /** Returns the reserved start of a cancelled job; undefined if it is not cancelled. */
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
    // At least as long as the job is known.
    const ms = Math.max(0, startAt - systemClock()) + Math.max(this.#keep, RETRIED) + DAY;
    const set = ["NX", "PX", String(Math.ceil(ms))];
    return (await this.#redis.call("SET", this.#prefix + id, mark, ...set)) !== null;
  }
}
