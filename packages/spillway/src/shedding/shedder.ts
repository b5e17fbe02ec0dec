/// <reference lib="esnext.disposable" preserve="true" />

import type { Priority, StopSignal } from "../internal/index.ts";
import type { Decision } from "../limits/core/index.ts";

/** A piece of work to start: a request, or a job. */
export type Work = {
  /** How important it is. Default: `"normal"`. */
  readonly priority?: Priority;
  /**
   * The owner of the work: the id of a user or a tenant. A fleet shedder ignores it.
   *
   * If part of a priority must be refused, all work of some owners is refused for a while, and none
   * of the others. Default: each piece of work is decided by itself.
   */
  readonly cohort?: string;
  /**
   * Milliseconds from now, 0 or more, after which the caller no longer waits. Default: none.
   *
   * After that the work is not started: with 0, it is refused at once. Fleet and utilization
   * shedders ignore it, because work never waits there.
   */
  readonly deadline?: number;
  /** Admits the work in any case, without counting it: for health checks. Default: false. */
  readonly exempt?: boolean;
  /**
   * Withdraws the work while it waits: an `AbortSignal`, such as `closeSignal(response)`.
   *
   * It should abort when the caller no longer waits. The answer is then a refusal, not a rejection.
   * Fleet and utilization shedders ignore it, because work never waits there.
   */
  readonly signal?: StopSignal;
};

/**
 * How admitted work ended.
 *
 * - `served`: it was answered; its duration shows how the system is doing.
 * - `failed`: it was aborted or threw, so its duration does not count.
 * - `streaming`: its answer has begun and lasts as long as the client stays. From now on the work
 *   is not in flight, and its duration does not count.
 */
export type Outcome = "served" | "failed" | "streaming";

/**
 * The answer to a piece of work.
 *
 * A refusal has the reason `shed`: the system is overloaded, regardless of the caller. A fleet
 * shedder can also refuse with `unavailable`, if its store did not answer, or with `blocked`.
 *
 * The `retryAfter` of an adaptive or utilization shedder is advice, not an exact wait. It is drawn
 * at random, so that callers do not all retry at once. An adaptive shedder advises 2 to 4 of its
 * windows, a utilization shedder 1 to 2.
 */
export type Admission = Decision & {
  readonly priority: Priority;
  /**
   * Reports how the work ended. Default: `"served"`. Only the first call counts, and only if the
   * work was admitted.
   */
  done(outcome?: Outcome): void;
  /** Called at the end of a `using` block: reports `failed`, unless `done` was called before. */
  [Symbol.dispose](): void;
};

/** A number for each priority. */
export type ByPriority = { readonly [P in Priority]: number };

/** The statistics and the state of a shedder, in this process only. */
export type ShedderStats = {
  readonly admitted: ByPriority;
  /** Work refused, for any cause; in shadow mode, work that would have been refused. */
  readonly shed: ByPriority;
  /** Work that this process has admitted and that has not ended, without held work. */
  readonly inFlight: number;
  /**
   * Admitted work that has not ended but lasts so long that it no longer counts as in flight. If
   * this number only grows, the cause is streams, or admissions that are never ended.
   */
  readonly held: number;
  /** Work that waits in this process until there is room, or until it is refused. */
  readonly waiting: number;
  /** The maximum work in flight, as of the last request; `Infinity` if it is not bounded. */
  readonly capacity: number;
  /**
   * The share of the requested work for which there is room, from 0 to 1, as of the last request.
   */
  readonly share: number;
};

/**
 * Decides which work is started while a system is overloaded.
 *
 * `A` is the type of its answer: a value, or a promise if work waits for its turn or the store is
 * remote. By default it can be either; `await` serves both.
 */
export type Shedder<A extends Admission | Promise<Admission> = Admission | Promise<Admission>> = {
  /** The shedder's name in decisions, events and statistics. */
  readonly name: string;
  /**
   * Decides whether and when work is started.
   *
   * An invalid value, such as an unknown priority, counts as missing: see the event `bad work`.
   *
   * @throws SpillwayError `bad-work` if `work` is not an object, `unknown-field` if it has other
   * fields
   */
  admit(work?: Work): A;
  /** Returns the statistics so far, and the state. */
  stats(): ShedderStats;
};
