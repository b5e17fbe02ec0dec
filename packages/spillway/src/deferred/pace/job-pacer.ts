/**
 * Decides when jobs start, by three budgets under one limit.
 *
 * - The line is the limit itself. A reservation there says when a job may start, and bounds how
 *   many jobs wait.
 * - The schedule holds the time promised to waiting jobs, in milliseconds. Each millisecond, one of
 *   them comes back. A later job starts after the earlier ones, even if the limit's definition has
 *   changed in between.
 * - The gate admits starts when they happen, at the same rate and without debt. A job that comes
 *   late or again must also pass it. The job waits there if the previous job has just started, even
 *   if the queue delivers it now.
 */
import { closed } from "../../internal/index.ts";
import type { AnyLimiter, KeyOptions } from "../../limiter/index.ts";
import { planFor } from "../../limits/algorithms/index.ts";
import {
  type Decision,
  type LeakyBucket,
  type Limit,
  milliseconds,
  SECOND,
  type TokenBucket,
} from "../../limits/core/index.ts";
import { paceLimit } from "./pace-limit.ts";

/** A key and a number of units. */
export type KeyedCount = { readonly key: string | undefined; readonly count: number };
/** A reservation. `spacing` is the milliseconds between two starts when it was made, if known. */
type PaceReservation = KeyedCount & { readonly spacing?: number | undefined };

/**
 * The longest time of the schedule that one job takes, in milliseconds: the maximum number of units
 * that can be settled.
 */
const LONGEST = 1e9;
/**
 * Units come back as time passes. It is the same for every limit, so it remains valid if a limit
 * changes.
 */
const SCHEDULE: TokenBucket = {
  kind: "token bucket",
  rate: SECOND,
  period: SECOND,
  capacity: 1,
  whenUnavailable: "closed",
};

/**
 * The maximum number of parts of a unit of the gate: they determine how finely a late start delays
 * the next one.
 */
const MOST_PARTS = 1000;

export class JobPacer {
  readonly limit: string;
  /** The mean time between two starts, in milliseconds. */
  readonly spacing: number;
  /** The maximum number of units that a job can take. */
  readonly largest: number;
  readonly #limiter: AnyLimiter;
  readonly #line: TokenBucket;
  readonly #gate: TokenBucket;
  readonly #parts: number;

  /**
   * Paces jobs by a limit of `limiter`. @throws SpillwayError `unknown-limit`, `wrong-kind`,
   * `bad-limit`
   */
  constructor(limiter: AnyLimiter, limit: string) {
    const defined = paceLimit(limiter.limits, limit);
    const period = milliseconds(defined.period) as number;
    const { rate, capacity = rate } = defined;
    this.limit = limit;
    this.spacing = period / rate;
    this.largest = defined.kind === "leaky bucket" ? 1 : Math.max(1, capacity);
    this.#limiter = limiter;
    // Jobs are always paced: what was not taken could not be given back.
    this.#line =
      defined.kind === "leaky bucket" ? givingBack(defined) : { ...defined, mode: "enforce" };
    this.#parts = partsOf({ rate, period, capacity: this.largest });
    this.#gate = this.#gateOf({ rate, period });
  }

  #gateOf({ rate, period }: { readonly rate: number; readonly period: number }): TokenBucket {
    return {
      kind: "token bucket",
      rate: rate * this.#parts,
      period,
      capacity: this.largest * this.#parts,
      maxReserved: 0,
      // Without the store it is unknown which jobs have started.
      whenUnavailable: "closed",
    };
  }

  /**
   * Takes units ahead of time. If admitted, the decision says when the work may start.
   *
   * It is refused if the store is unavailable. A place that was not counted could not be given
   * back, and the number of such places would have no bound.
   */
  async reserve(share: KeyedCount): Promise<Decision> {
    const { key, count } = share;
    const ask = { ...this.#onLine(key), count, reserve: true } as const;
    const decision = closed(await this.#limiter.limit(this.limit, ask));
    if (!decision.ok) return decision;
    const wait = await this.#promise(share);
    return { ...decision, retryAfter: Math.max(decision.retryAfter, wait) };
  }

  /** Gives back the units of work that will not run. */
  async giveBack({ key, count, spacing = this.spacing }: PaceReservation): Promise<void> {
    await this.#limiter.settle(this.limit, { ...this.#onLine(key), reserved: count, used: 0 });
    const reserved = roundedWait(count * spacing);
    if (reserved === 0) return;
    await this.#limiter.settle(this.#scheduleName, { ...onKey(key, SCHEDULE), reserved, used: 0 });
  }

  /**
   * Takes a new place at the end of the line, and returns the milliseconds until the work may
   * start.
   *
   * For work that was accepted before, and has missed or used its place. It can't be refused,
   * because the work is already queued.
   */
  async retake(share: KeyedCount): Promise<number> {
    const { key, count } = share;
    const settling = { ...this.#onLine(key), reserved: 0, used: count };
    const { resetAfter, blockedFor } = await this.#limiter.settle(this.limit, settling);
    const wait = await this.#promise(share);
    // The work starts when at most one full bucket of used units is left, its own included.
    const full = this.#capacity() * this.spacing;
    return Math.max(0, blockedFor, Math.ceil(resetAfter - full), wait);
  }

  /**
   * Reserves a time in the schedule after all earlier ones. Returns the milliseconds until then.
   *
   * Returns 0 if the store refuses or fails. Then only the line decides when the work may start.
   */
  async #promise({ key, count: units }: KeyedCount): Promise<number> {
    const count = roundedWait(units * this.spacing);
    if (count === 0) return 0;
    const ask = { ...onKey(key, SCHEDULE), count, reserve: true } as const;
    try {
      const { ok, resetAfter } = await this.#limiter.limit(this.#scheduleName, ask);
      return ok ? Math.max(0, Math.floor(resetAfter - this.largest * this.spacing)) : 0;
    } catch {
      return 0;
    }
  }

  get #scheduleName(): string {
    return `${this.limit} schedule`;
  }

  /** Asks the gate whether work may start now, and takes its units if so. */
  async start({ key, count }: KeyedCount): Promise<Decision> {
    return this.#limiter.limit(this.#gateName, {
      ...this.#onGate(key),
      count: count * this.#parts,
    });
  }

  /**
   * Charges the gate for `late` milliseconds between a job's admission and its start.
   *
   * So the next job starts that much later.
   *
   * @returns The milliseconds charged, at least `late`. `Infinity`, and nothing is charged, if
   * several jobs may start at once.
   */
  async began({ key }: KeyedCount, { late }: { readonly late: number }): Promise<number> {
    // If several jobs may start at once, there is no distance to keep.
    if (this.largest > 1) return Number.POSITIVE_INFINITY;
    const used = Math.ceil((late * this.#parts) / this.spacing);
    await this.#limiter.settle(this.#gateName, { ...this.#onGate(key), reserved: 0, used });
    return (used * this.spacing) / this.#parts;
  }

  /** Returns the same pacer in a transaction of the caller's. */
  within(transaction: object): JobPacer {
    return new JobPacer(this.#limiter.within(transaction), this.limit);
  }

  get #gateName(): string {
    return `${this.limit} starts`;
  }

  #capacity(): number {
    const { capacity, rate } = this.#line;
    return capacity ?? rate;
  }

  #onLine(key: string | undefined): KeyOptions {
    return onKey(key, this.#line);
  }

  #onGate(key: string | undefined): KeyOptions {
    return onKey(key, this.#gate);
  }
}

/**
 * Returns a wait in whole milliseconds, rounded down, at most `LONGEST`. Pure.
 *
 * If it were rounded up, the schedule would fall behind the line a little more with each job.
 */
function roundedWait(ms: number): number {
  return Math.min(LONGEST, Math.floor(ms));
}

function onKey(key: string | undefined, config: Limit | undefined): KeyOptions {
  return { ...(key === undefined ? {} : { key }), ...(config === undefined ? {} : { config }) };
}

/**
 * Converts a leaky bucket to a token bucket with the same starts, whose units can be given back.
 */
function givingBack({ rate, period, capacity = rate, whenUnavailable }: LeakyBucket): TokenBucket {
  const answer = whenUnavailable === undefined ? {} : { whenUnavailable };
  return {
    kind: "token bucket",
    rate,
    period,
    capacity: 1,
    maxReserved: capacity - 1,
    ...answer,
  };
}

type PaceTerms = { readonly rate: number; readonly period: number; readonly capacity: number };

/**
 * Returns the parts of a gate's unit, about one per millisecond; 1 if that can't be computed
 * exactly.
 */
function partsOf({ rate, period, capacity }: PaceTerms): number {
  const parts = Math.min(MOST_PARTS, Math.ceil(period / rate));
  const terms = { rate: rate * parts, period, capacity: capacity * parts } as const;
  try {
    planFor("gate", { kind: "token bucket", ...terms });
    return parts;
  } catch {
    return 1;
  }
}
