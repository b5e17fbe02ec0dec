/// <reference lib="esnext.disposable" preserve="true" />

import type { Priority, StopSignal } from "../internal/index.ts";
import type { Decision } from "../limits/core/index.ts";

/** A piece of work that asks to be started: a request, or a job. */
export type Work = {
  /** How much it matters. Default: `"normal"`. */
  readonly priority?: Priority;
  /**
   * Whose work it is: a user's or a tenant's id. A fleet shedder ignores it.
   *
   * Where a part of a priority has to go, it is all work of some of them for a while, and none of
   * the others. Left out, each piece of work is on its own.
   */
  readonly cohort?: string;
  /**
   * Milliseconds from now, 0 or more, after which nobody waits for the answer.
   *
   * It is not started then. Fleet and utilization shedders ignore it, for nothing waits there.
   */
  readonly deadline?: number;
  /** A health check: it is admitted whatever happens, and counted nowhere. */
  readonly exempt?: boolean;
  /**
   * Withdraws the work while it waits: an `AbortSignal`, such as `closeSignal(response)`, that
   * aborts when nobody waits for it any more. The answer is then a refusal, not a rejection. Fleet
   * and utilization shedders ignore it, for nothing waits there.
   */
  readonly signal?: StopSignal;
};

/**
 * How admitted work ended.
 *
 * - `served`: it was answered; the time that it took says how the system is doing.
 * - `failed`: it broke off, so that its time says nothing.
 * - `streaming`: its answer has begun, and goes on for as long as somebody listens: from now on it
 *   is not in flight any more, and its time says nothing.
 */
export type Outcome = "served" | "failed" | "streaming";

/**
 * The answer to a piece of work.
 *
 * A refusal has the reason `shed`: it is the system, not the caller. That of a fleet shedder can
 * also be `unavailable`, where its store gave no answer, or `blocked`. The `retryAfter` of an
 * adaptive or utilization shedder is advice, no exact wait: some windows, drawn at random, so that
 * not all come back at once (2 to 4 of an adaptive shedder's, 1 to 2 of a utilization shedder's).
 */
export type Admission = Decision & {
  readonly priority: Priority;
  /**
   * Receives how the work ended. Default: `"served"`. Only the first time, and only if admitted.
   */
  done(outcome?: Outcome): void;
  /** At the end of a `using` block: the work has failed, unless `done` was called before. */
  [Symbol.dispose](): void;
};

/** A number for each priority. */
export type ByPriority = { readonly [P in Priority]: number };

/** What a shedder has done so far, and how it stands; all of it in this process. */
export type ShedderStats = {
  readonly admitted: ByPriority;
  /** Refused, for whichever cause; in shadow, what would have been. */
  readonly shed: ByPriority;
  /** Admitted by this process, and not done; without what is held. */
  readonly inFlight: number;
  /**
   * Admitted, not done, and not counted as in flight: work that lasts for as long as a stream. What
   * grows here without end is streams, or admissions that nobody ends.
   */
  readonly held: number;
  /** Held back by this process until there is room, be it that it is refused if none comes. */
  readonly waiting: number;
  /** The most that may be in flight, as of the last ask; Infinity where that is not bounded. */
  readonly capacity: number;
  /** The share of what is asked for which there is room, from 0 to 1, as of the last ask. */
  readonly share: number;
};

/**
 * Decides which work is started while a system is in trouble.
 *
 * `A` is how it answers: at once, or with a promise where work has to wait for its turn, or the
 * store is remote. By default it can be either; `await` serves both.
 */
export type Shedder<A extends Admission | Promise<Admission> = Admission | Promise<Admission>> = {
  /** What it is called in decisions, events and numbers. */
  readonly name: string;
  /**
   * Decides whether, and when, work is started.
   *
   * A value that can't be understood, such as a priority that there is none of, counts as not
   * given: see the event `bad work`.
   *
   * @throws SpillwayError `bad-work`, `unknown-field` for what is no object or has other fields
   */
  admit(work?: Work): A;
  /** Returns what it has done so far, and its state. */
  stats(): ShedderStats;
};
