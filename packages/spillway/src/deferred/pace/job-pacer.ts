/**
 * How fast work starts: three budgets under one limit.
 *
 * The line is the limit itself. What is reserved there says when a job may start, and how many may wait.
 * The schedule is what was promised to those who wait, in milliseconds, of which one comes back in each: by whichever
 * definition of the limit it was promised, who comes later starts after them.
 * The gate admits starts as they happen, on the same terms, without any debt: whatever the queue
 * does, a job that comes late or again passes it, and waits if the one before it has just started.
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

/** Whose budget, and how many units. */
export type KeyedCount = { readonly key: string | undefined; readonly count: number };
/** What was reserved: `spacing` is what it was then, where that is known. */
type PaceReservation = KeyedCount & { readonly spacing?: number | undefined };

/** Milliseconds of the schedule that one job takes, at most: the most units that can be settled. */
const LONGEST = 1e9;
/** As the time goes by. It is the same whatever the limit is, and so it outlasts changes of that. */
const SCHEDULE: TokenBucket = {
  kind: "token bucket",
  rate: SECOND,
  period: SECOND,
  capacity: 1,
  whenUnavailable: "closed",
};

/** Of how many parts a unit of the gate is, at most: how finely a late start delays the next. */
const MOST_PARTS = 1000;

export class JobPacer {
  readonly limit: string;
  /** Milliseconds between two starts, on average. */
  readonly spacing: number;
  /** The most units that a job can take. */
  readonly largest: number;
  readonly #limiter: AnyLimiter;
  readonly #line: Limit | undefined;
  readonly #gate: TokenBucket;
  readonly #parts: number;

  /** @throws SpillwayError `unknown-limit`, `wrong-kind`, `bad-limit` */
  constructor(limiter: AnyLimiter, limit: string) {
    const defined = paceLimit(limiter.limits, limit);
    const period = milliseconds(defined.period) as number;
    const { rate, capacity = rate } = defined;
    this.limit = limit;
    this.spacing = period / rate;
    this.largest = defined.kind === "leaky bucket" ? 1 : Math.max(1, capacity);
    this.#limiter = limiter;
    this.#line = defined.kind === "leaky bucket" ? givingBack(defined) : undefined;
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
      // Without the store nobody knows who has started.
      whenUnavailable: "closed",
    };
  }

  /**
   * Takes units ahead of time: a yes says when the work may start. Without the store it is a no: a place that
   * nobody has counted can't be given back, and a line of such places has no end.
   */
  async reserve(share: KeyedCount): Promise<Decision> {
    const { key, count } = share;
    const ask = { ...this.#onLine(key), count, reserve: true } as const;
    const decision = closed(await this.#limiter.limit(this.limit, ask));
    if (!decision.ok) return decision;
    const wait = await this.#promise(share);
    return { ...decision, retryAfter: Math.max(decision.retryAfter, wait) };
  }

  /** Gives units back that no work will use. */
  async giveBack({ key, count, spacing = this.spacing }: PaceReservation): Promise<void> {
    await this.#limiter.settle(this.limit, { ...this.#onLine(key), reserved: count, used: 0 });
    const reserved = roundedWait(count * spacing);
    if (reserved === 0) return;
    await this.#limiter.settle(this.#scheduleName, { ...onKey(key, SCHEDULE), reserved, used: 0 });
  }

  /**
   * Takes another place at the end of the line for work that was accepted before, and has missed or used
   * its own. It can't be refused: it is there already. Answers the milliseconds until it may start.
   */
  async retake(share: KeyedCount): Promise<number> {
    const { key, count } = share;
    const settling = { ...this.#onLine(key), reserved: 0, used: count };
    const { resetAfter, blockedFor } = await this.#limiter.settle(this.limit, settling);
    const wait = await this.#promise(share);
    // It starts when all but a full bucket has come back, its own units included.
    const full = this.#capacity() * this.spacing;
    return Math.max(0, blockedFor, Math.ceil(resetAfter - full), wait);
  }

  /**
   * Promises a time after all that were promised before; the milliseconds until then. Where the store says nothing the line
   * alone counts, whose units are taken.
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

  /** Asks whether work may start at this instant. */
  async start({ key, count }: KeyedCount): Promise<Decision> {
    return this.#limiter.limit(this.#gateName, {
      ...this.#onGate(key),
      count: count * this.#parts,
    });
  }

  /**
   * Work begins so many milliseconds after it was admitted: the next one is as much later.
   *
   * @returns The milliseconds that the gate was charged, at least those.
   */
  async began({ key }: KeyedCount, { late }: { readonly late: number }): Promise<number> {
    // Where several may start at once there is no distance to keep.
    if (this.largest > 1) return Number.POSITIVE_INFINITY;
    const used = Math.ceil((late * this.#parts) / this.spacing);
    await this.#limiter.settle(this.#gateName, { ...this.#onGate(key), reserved: 0, used });
    return (used * this.spacing) / this.#parts;
  }

  /** The same in a transaction of the caller's. */
  within(transaction: object): JobPacer {
    return new JobPacer(this.#limiter.within(transaction), this.limit);
  }

  get #gateName(): string {
    return `${this.limit} starts`;
  }

  #capacity(): number {
    const { capacity, rate } = (this.#line ?? this.#limiter.limits[this.limit]) as TokenBucket;
    return capacity ?? rate;
  }

  #onLine(key: string | undefined): KeyOptions {
    return onKey(key, this.#line);
  }

  #onGate(key: string | undefined): KeyOptions {
    return onKey(key, this.#gate);
  }
}

/** Whole milliseconds of the schedule: no more than the line counts, or its wait would grow from job to job. */
function roundedWait(ms: number): number {
  return Math.min(LONGEST, Math.floor(ms));
}

function onKey(key: string | undefined, config: Limit | undefined): KeyOptions {
  return { ...(key === undefined ? {} : { key }), ...(config === undefined ? {} : { config }) };
}

/** A leaky bucket as the token bucket of the same starts, which gives back what is cancelled. */
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

/** As many parts as can be computed exactly: a unit of the gate is about a millisecond. */
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
